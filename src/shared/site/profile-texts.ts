import type { SiteProfile } from "./site.ts";

/** The fields of an operator's company. */
export const companyFields = [
  "name",
  "legalName",
  "tagline",
  "companyNumber",
  "address",
  "phone",
  "whatsapp",
  "supportEmail",
  "regulatorNote",
  "referencePrefix",
  "paperPrefix",
] as const satisfies readonly (keyof SiteProfile)[];
export type CompanyField = (typeof companyFields)[number];

/** The fields as forms and mails name them. */
export const companyLabels = {
  name: "Name of the site",
  legalName: "Company",
  tagline: "Tagline",
  companyNumber: "Company number",
  address: "Address",
  phone: "Phone",
  whatsapp: "WhatsApp",
  supportEmail: "Support email",
  regulatorNote: "Regulator's note",
  referencePrefix: "Prefix of payment references",
  paperPrefix: "Letter of paper numbers",
} as const satisfies Record<CompanyField, string>;

export const profileTexts = {
  saved: "Saved. The whole site shows it now.",
  nothingToSave: "Nothing was changed.",
  loadFailed: "Failed to load what the site says of itself",
  saveFailed: "Could not save",
  changedMeanwhile:
    "Another owner changed this in the meantime. What you typed is still here. Look at the marked fields, and save again.",
  nameInvalid: "Enter a name of 2 to 40 characters on one line",
  legalNameInvalid: "Enter the company's name: 2 to 120 characters on one line",
  taglineInvalid: "Enter a tagline of at most 120 characters on one line",
  companyNumberInvalid: "Enter RC, BN or IT and 3 to 8 digits, like RC 123456",
  addressInvalid: "An address has at most 300 characters",
  phoneInvalid: "Enter a phone number, like 0803 123 4567 or +44 20 7946 0018",
  supportEmailInvalid: "Please enter a valid email address",
  regulatorNoteInvalid: "The note has at most 300 characters",
  referencePrefixInvalid: "Enter 2 to 5 letters",
  paperPrefixInvalid: "Enter one letter",
  colorInvalid: "Enter a colour as six letters and digits, like #1d6b2f",
  markGone: "This picture is no longer stored. Please upload it again.",
  prefixesAlike: "Payouts' references begin with this letter and a P, so payment references can't. Choose another.",
} as const;

/** The reason why the prefix of payment references is fixed. */
export const referencesStay = (prefix: string): string =>
  `References ${prefix}-… are on people's bank statements. The prefix stays.`;

/** The reason why the letter of papers' numbers is fixed. */
export const papersStay = (letter: string): string => `Papers ${letter}R-… are in people's hands. The letter stays.`;
