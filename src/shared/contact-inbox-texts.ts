/** Contact messages in the administrators' area. No schema is here, as in contact-texts.ts. */

export const contactInboxPageSize = 30;

export const contactInboxTexts = {
  fetchFailed: "Could not fetch contact messages",
  updateFailed: "Could not update the message",
  gone: "This message no longer exists.",
  markedUnread: "Message marked as unread",
} as const;
