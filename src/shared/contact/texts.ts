/** Texts of the contact form. No schema is here, because pages that only show texts don't need one. */

export const contactLimits = {
  name: { min: 2, max: 100 },
  emailMax: 255,
  phone: { min: 5, max: 20 },
  message: { min: 10, max: 5000 },
} as const;

export const contactTexts = {
  nameTooShort: "Name must be at least 2 characters",
  nameTooLong: "Name cannot exceed 100 characters",
  nameInvalid: "Name can only contain letters, spaces, hyphens, apostrophes and periods",
  emailInvalid: "Valid email is required",
  emailTooLong: "Email cannot exceed 255 characters",
  phoneTooShort: "Phone number must be at least 5 characters",
  phoneTooLong: "Phone number cannot exceed 20 characters",
  phoneInvalid: "Phone number can only contain digits, spaces, plus signs, hyphens and parentheses",
  messageTooShort: "Message must be at least 10 characters",
  messageTooLong: "Message cannot exceed 5000 characters",
  notARobot: "I am not a robot",
  confirmHuman: "Please confirm you are not a robot",
  wrongAnswer: "Incorrect answer to the math question",
  tokenInvalid: "Security validation failed. Please refresh the page and try again.",
  sentTitle: "Message sent!",
  sent: "Thank you for reaching out. We'll get back to you soon.",
  failedTitle: "Error",
} as const;

/** Contact messages in the administrators' area. */

export const contactInboxPageSize = 30;

export const contactInboxTexts = {
  fetchFailed: "Could not fetch contact messages",
  updateFailed: "Could not update the message",
  gone: "This message no longer exists.",
  markedUnread: "Message marked as unread",
} as const;
