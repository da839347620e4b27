/** Messages between backers and administrators: limits and texts of both sides. No schema stands here, as in project-texts.ts. */

export const messageLimits = {
  length: 5000,
  /** From here on the writer sees how much room is left. */
  countedFrom: 4500,
  /** Each message is mailed to many: this many per person. */
  rate: { hits: 30, windowSeconds: 600 },
} as const;

export const messageTexts = {
  sent: "Message sent successfully",
  failed: "Failed to send message",
  blank: "Message cannot be blank",
  tooLong: "Message cannot exceed 5,000 characters",
  readOnly: "Your role lets you read these messages, but not answer them.",
  keyUsedElsewhere: "Another message was already sent from this form. Please send this one again.",
} as const;

/** Who wrote a message, as its reader may know it. */
export type MessageLabel = "You" | "Admin" | "Backer";

/** As the database counts: an emoji may be several, but never half of one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Spaces, control characters and what no reader sees (zero-width joiners, marks of direction) say nothing. */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{DI}]/u.test(text);
