/** Texts for adding and removing backers. No schema is here. */

export const backingLimits = {
  /** Backers per page; fills whole rows of two, three or four. */
  page: 24,
  /** The people that a picker offers for a search. */
  picked: 20,
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
  weightFailed: "Failed to ask for the part in the harvest",
  weightUnreadable: "Enter an amount in naira, such as 50,000 or 50,000.50. Leave it empty for no part.",
  weightNothing: "A weight is more than nothing. Leave it empty for no part.",
  weightChanged: "This part has changed in the meantime. Please look at it again.",
  weightBeyond: (worth: string) =>
    `The lots of this round are worth ${worth} together. Parts that nobody paid for never count more than that.`,
  weightFirst: "This backing has a part in a harvest to come. Two owners take that away first.",
  notGranted: "Only a backing that an administrator added can be given a weight.",
  supportedByPayment: "An approved payment supports this backing. It ends when that payment is no longer approved.",
} as const;
