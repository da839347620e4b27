/** Messages between backers and administrators: limits and texts. No schema is here. */

export const messageLimits = {
  length: 5000,
  /** From this length on the remaining characters are shown. */
  countedFrom: 4500,
  /** The limit per person, because each message is mailed to many people. */
  rate: { hits: 30, windowSeconds: 600 },
} as const;

export const messageTexts = {
  sent: "Message sent successfully",
  failed: "Failed to send message",
  blank: "Message cannot be blank",
  tooLong: "Message cannot exceed 5,000 characters",
  readOnly: "Your role lets you read these messages, but not answer them.",
  onlyToTeam: "Only to the team",
  onlyToYou: "Only to you",
  notPrivate: "A message of the team to one person answers a message of theirs.",
  noLongerBacks: "Whoever wrote this no longer backs the project, and can't read an answer.",
  gone: "This message no longer exists.",
  needsNoAnswer: "Marked as needing no answer",
  markFailed: "Failed to mark the message",
  keyUsedElsewhere: "Another message was already sent from this form. Please send this one again.",
} as const;

/** A message's author, as far as its reader may know. */
export type MessageLabel = "You" | "Admin" | "Backer";

/** Counts code points, as the database does. An emoji may be several. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * True if a text has only spaces, control characters and invisible characters (zero-width joiners, direction marks).
 */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{DI}]/u.test(text);
