/** Texts for adding and removing backers. No schema is here, as in projects-texts.ts. */

export const backingLimits = {
  /** Backers per page; fills whole rows of two, three or four. */
  page: 24,
  /** The people that a picker offers for a search. */
  picked: 20,
  /** A weight's reason, in characters. */
  reason: 500,
} as const;

export const backingTexts = {
  added: "Backer added successfully",
  failed: "Failed to add backer",
  notPicked: "Please select a user to add as backer",
  emailMissing: "Email and project ID are required",
  userNotFound: "User not found",
  userBlocked: "This account is blocked. A blocked person can't become a backer.",
  alreadyListed: "This user is already a backer for this project",
  alreadyBacking: "This user is already backing this project",
  removed: "Backer removed successfully",
  removeFailed: "Failed to remove backer",
  notListed: "This person no longer backs the project.",
  noPart: "No part in the harvest",
  weight: (amount: string, round: number | null) =>
    round === null ? `${amount} weight` : `${amount} weight in round ${round}`,
  noSuchRound: "This round has no harvest that a weight could count in.",
  weightSaved: "Part in the harvest saved",
  weightFailed: "Failed to save the part in the harvest",
  weightUnreadable: "Enter an amount in naira, such as 50,000 or 50,000.50. Leave it empty for no part.",
  weightNothing: "A weight is more than nothing. Leave it empty for no part.",
  reasonMissing: "Please say why. It stays in the audit log.",
  reasonLong: "The reason has at most 500 characters",
  notGranted: "Only a backing that an administrator added can be given a weight.",
  supportedByPayment: "An approved payment supports this backing. It ends when that payment is no longer approved.",
} as const;
