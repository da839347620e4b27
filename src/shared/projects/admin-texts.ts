/** Texts for creating, changing and deleting projects. No schema is here. */

export const projectFormLimits = {
  title: { min: 5, max: 100 },
  shortDescription: { min: 10, max: 500 },
  /** Characters of the text without its markup. `maxHtml` includes the markup. */
  description: { min: 50, max: 20_000, maxHtml: 60_000 },
  durationDays: { min: 1, max: 60 },
  goalNaira: { min: 100, default: 1000 },
  lots: { min: 1, max: 1000 },
  location: 100,
  url: 2000,
  imageAlt: 200,
  rewards: { max: 20, title: 100, description: 500, quantity: 1_000_000 },
} as const;

export const projectFormTexts = {
  required: "Required",
  titleShort: "Title must be at least 5 characters",
  categoryMissing: "Please select a category",
  shortDescriptionShort: "Short description must be at least 10 characters",
  shortDescriptionLong: "Short description must be at most 500 characters",
  descriptionShort: "Full description must be at least 50 characters",
  descriptionLong: "Full description must be at most 20,000 characters",
  goalLow: "Funding goal must be at least $100",
  goalHigh: "Funding goal must be at most ₦1,000,000,000",
  goalUnreadable: "Please enter an amount like 1,250,000",
  lotsWhole: "Number of lots must be a whole number from 1 to 1,000",
  lotsUneven: "The funding goal must divide into lots of whole naira.",
  minimumLots: "The minimum must be a whole number from 1 to the number of lots",
  durationShort: "Duration must be at least 1 day",
  durationLong: "Duration must be at most 60 days",
  durationWhole: "Duration must be a whole number of days",
  locationLong: "Location must be at most 100 characters",
  urlInvalid: "Please enter a valid URL",
  imageMissing: "Main image is required",
  imageGone: "This picture is no longer stored. Please upload it again.",
  imageAltLong: "The description of the picture must be at most 200 characters",
  rewardTitleMissing: "Please name the reward",
  rewardTitleLong: "The reward's name must be at most 100 characters",
  rewardDescriptionMissing: "Please say what the backer gets",
  rewardDescriptionLong: "The reward's description must be at most 500 characters",
  rewardAmount: "Please enter an amount like 25",
  rewardQuantity: "Please enter a whole number of at least 1",
  rewardsMany: "At most 20 reward tiers are possible",
} as const;

/** The reason why a round's goal, lots and terms are fixed: somebody pays or paid, it is decided, or lots are held. */
export type RoundLock = "paid" | "decided" | "held";

export const projectAdminTexts = {
  loadFailed: "Failed to load project. Please try again.",
  notFound: "Project not found",
  originalNotFound: "Original project not found",
  notCreated: "New project was not created",
  goalLocked: {
    paid: "The funding goal can't be changed while a payment for this project is pending or approved.",
    decided: "This round is decided. Reopen the project to change its funding goal.",
    held: "The funding goal can't be changed while lots are held.",
  },
  lotsLocked: {
    paid: "The lots can't be changed while a payment for this project is pending or approved.",
    decided: "This round is decided. Reopen the project to change its lots.",
    held: "The number of lots can't be changed while some are held.",
  },
  changed: "This project was changed by somebody else while you were editing it. Nothing of yours was saved yet.",
  hasMoney:
    "This project can't be deleted: its backers' money is in it. Give it back first, end its round, or keep the project until it is settled.",
  alreadyClosed: "This project is already closed.",
  alreadyOpen: "This project is already open.",
} as const;

/** The tier that every new project starts with. The specification writes its amount as $25; the value is in naira. */
export const supporterTier = {
  label: "$25 Supporter",
  title: "Supporter",
  amountNaira: "25",
  description: "A thank-you from the farm, and its updates.",
} as const;

/** The picture of a new project until another one is chosen. */
export const placeholderImage = "/scenes/community-cassava.svg";
