import { sessionTimeoutKey } from "#shared/accounts/sessions.ts";

/** Keys of known settings. */
export const bankDetailKeys = {
  bankName: "bankname",
  accountName: "bankaccountname",
  accountNumber: "bankaccountnumber",
} as const;

/** The recipient of notices of contact messages and job applications. */
export const supportEmailKey = "supportemail";

export type BankDetails = { bankName: string; accountName: string; accountNumber: string };

/** Which figures stand on the home page; unset means computed. */
export const homeFiguresKey = "homefigures";
export const homeFiguresChoices = ["computed", "none", "claimed"] as const;
export type HomeFiguresChoice = (typeof homeFiguresChoices)[number];
/** The setting for jobs on the site: on or off; unset means off. */
export const careersKey = "careers";

export const requireSignInKey = "requiresigninforprojects";
/** The setting that requires a second factor of administrators (optional by default). */
export const requireTwoFactorKey = "requiretwofactor";

/** The platform's fee in percent of sales, for new projects. */
export const platformFeeKey = "platformfee";
/** For how many hours lots are held for whoever is about to pay; 0 switches holding off. */
export const holdHoursKey = "holdhours";
/** For how many hours lots are offered to the next on the waiting list. */
export const offerHoursKey = "offerhours";
/** How many lots of a round one person may buy at most. */
export const maxLotsKey = "maxlots";
/** From how many naira on a second person confirms what nobody has seen in the bank. */
export const secondPersonKey = "secondperson";
/** The most that one transfer may have, in naira: more is paid out in parts. */
export const maxTransferKey = "maxtransfer";
/** Within how many working days money that is due is paid out, as we promise. */
export const refundDaysKey = "refunddays";
/** Within how many working days receipts are reviewed, as we promise; 1 while it is unset. */
export const reviewDaysKey = "reviewdays";
/** After how many hours a farm's report in which nothing is found is published by itself; 0 never. */
export const autoPublishKey = "reportautopublish";
/** After how many days a backer's message that nobody answered is late; 2 while it is unset. */
export const messageDaysKey = "messagedays";
/** VAT on the platform's fee, in percent; 0 where the operator isn't registered for it. */
export const vatKey = "vatpercent";
/** Tax that is withheld from what backers get of sales, in percent; 0 for none. */
export const withholdingKey = "withholdingpercent";
/** The columns of payout files that our own bank wants, as parsePayoutColumns reads them; unset or "none" means none. */
export const payoutColumnsKey = "payoutcolumns";

/** The values of numbers that aren't set. */
export const settingDefaults = {
  [platformFeeKey]: "5",
  [holdHoursKey]: "24",
  [offerHoursKey]: "12",
  [maxLotsKey]: "20",
  [secondPersonKey]: "1000000",
  [maxTransferKey]: "5000000",
  [refundDaysKey]: "5",
  [autoPublishKey]: "24",
  [vatKey]: "0",
  [withholdingKey]: "0",
  [reviewDaysKey]: "1",
  [messageDaysKey]: "2",
} as const;
export type NumberSettingKey = keyof typeof settingDefaults;

/** The units of numbers. */
export const numberUnits = {
  [platformFeeKey]: "%",
  [holdHoursKey]: "hours",
  [offerHoursKey]: "hours",
  [maxLotsKey]: "lots",
  [secondPersonKey]: "₦",
  [maxTransferKey]: "₦",
  [refundDaysKey]: "working days",
  [autoPublishKey]: "hours",
  [vatKey]: "%",
  [withholdingKey]: "%",
  [reviewDaysKey]: "working days",
  [messageDaysKey]: "days",
} as const satisfies Record<NumberSettingKey, string>;

const isNumberSetting = (key: string): key is NumberSettingKey => Object.hasOwn(numberUnits, key);
export const isNairaSetting = (key: string): boolean => isNumberSetting(key) && numberUnits[key] === "₦";

/** "1,000,000" of "1000000", as naira are typed and shown. What isn't whole naira stays as it is. */
export const groupDigits = (naira: string): string =>
  /^\d{1,15}$/.test(naira) ? BigInt(naira).toLocaleString("en-NG") : naira;

/** A value as people read it: with its unit, naira as money. */
export function settingValueText(key: string, value: string): string {
  if (!isNumberSetting(key) || !/^\d+(\.\d+)?$/.test(value)) return value;
  const unit = numberUnits[key];
  if (unit === "₦") return `₦${groupDigits(value)}`;
  if (unit === "%") return `${value}%`;
  return `${value} ${value === "1" ? unit.slice(0, -1) : unit}`;
}

/** True if a yes-or-no setting is on: only if it is "true". */
export const isSwitchedOn = (value: string | null | undefined): boolean => value === "true";

export const settingTexts = {
  updated: "Setting updated successfully",
  added: "New setting added",
  timeoutUpdated: "Session Timeout Updated",
  timeoutCreated: "Session Timeout Created",
  updateFailed: "Failed to update setting",
  addFailed: "Could not add new setting",
  loadFailed: "Failed to load settings",
  loadRefused: "Permission error loading settings. Please check your role permissions.",
  unexpected: "An unexpected error occurred",
  none: "No settings found.",
  denied: "You don't have permission to access admin settings",
  invalidTitle: "Invalid Value",
  timeoutInvalid: "Please enter a positive number for session timeout",
  timeoutTooLong: "The session timeout can be at most 1440 minutes, which is 24 hours",
  keyMissing: "Please enter a key",
  keyUnknown: "There is no setting with this key",
  keyTaken: "A setting with this key exists already. Edit it in the table.",
  valueMissing: "Please enter a value",
  valueTooLong: "A value has at most 5,000 characters",
  descriptionTooLong: "A description has at most 500 characters",
  switchInvalid: "This setting is either true or false",
  platformFeeInvalid: "Enter a percentage from 0 to 30, with at most two decimals",
  holdHoursInvalid: "Enter a whole number of hours from 0 to 168; 0 switches holding off",
  offerHoursInvalid: "Enter a whole number of hours from 1 to 168",
  maxLotsInvalid: "Enter a whole number from 1 to 1,000",
  secondPersonInvalid: "Enter whole naira from 0 to 1,000,000,000",
  maxTransferInvalid: "Enter whole naira from 1,000 to 1,000,000,000",
  refundDaysInvalid: "Enter a whole number of working days from 1 to 60",
  messageDaysInvalid: "Enter a whole number of days from 1 to 30",
  reviewDaysInvalid: "Enter a whole number of working days from 1 to 30",
  autoPublishInvalid: "Enter a whole number of hours from 0 to 168; 0 leaves every report to a person",
  taxRateInvalid: "Enter a percentage from 0 to 30, with at most two decimals",
  payoutColumnsInvalid:
    "Enter Title=field, separated by commas, with account, amount, a bank (bank, bankcode or nipcode) and narration or reference; name is optional. none means no columns of your own",
  homeFiguresInvalid: "This setting is computed, none or claimed",
  careersInvalid: "This setting is either on or off",
  bankNameInvalid: "Enter the bank's name: 2 to 100 characters on one line",
  accountNameInvalid: "Enter the account's name: 2 to 100 characters on one line",
  accountNumberInvalid: "The account number must be 10 digits",
  supportEmailInvalid: "Please enter a valid email address",
  notFound: "This setting no longer exists.",
  changedMeanwhile: "This setting was changed in the meantime. Please look at it again.",
  nothingToSave: "Nothing was changed.",
  takesTwo: "Another owner has to confirm this change. Send it to them with a reason.",
  notTwo: "One owner makes this change alone.",
  bankUpdated: "Bank details updated",
  bankNeedsAnother: "Another owner has to confirm new bank details. Ask for it under Bank details.",
  supportUpdated: "Support email updated",
} as const;

/** The known settings, with their descriptions in the table. */
export const knownSettings = {
  [sessionTimeoutKey]: "Admin session timeout in minutes",
  [bankDetailKeys.bankName]: "Bank that backers transfer to",
  [bankDetailKeys.accountName]: "Name of the platform account",
  [bankDetailKeys.accountNumber]: "Number of the platform account",
  [supportEmailKey]: "Address that contact messages go to",
  [platformFeeKey]: "Platform's fee in percent of sales, for new projects",
  [holdHoursKey]: "Hours for which lots are held before a receipt comes",
  [offerHoursKey]: "Hours for which lots are offered to the next on the waiting list",
  [maxLotsKey]: "Most lots of a round for one backer",
  [secondPersonKey]: "Naira from which a second administrator confirms a payment not seen in the bank",
  [maxTransferKey]: "Most naira of one transfer: a larger sum is paid out in parts",
  [refundDaysKey]: "Working days within which money that is due is paid out",
  [autoPublishKey]: "Hours after which a farm's report is published if nobody has; 0 never",
  [vatKey]: "VAT on the platform's fee in percent; 0 if it isn't charged",
  [withholdingKey]: "Tax withheld from sales of harvests in percent; 0 for none",
  [messageDaysKey]: "Days after which a backer's unanswered message is late",
  [reviewDaysKey]: "Working days within which receipts are reviewed",
  [payoutColumnsKey]: "Columns of the payout files that our bank wants",
  [homeFiguresKey]: "Figures of the home page: computed, none or claimed",
  [careersKey]: "Whether the site offers jobs: on or off",
  [requireSignInKey]: "Visitors must sign in to see a project",
  [requireTwoFactorKey]: "Administrators must use two-factor sign-in",
} as const;
export type KnownSettingKey = keyof typeof knownSettings;

/** The known settings that aren't in the table yet. */
export const missingSettings = (rows: readonly { key: string }[]): KnownSettingKey[] =>
  (Object.keys(knownSettings) as KnownSettingKey[]).filter((known) => rows.every(({ key }) => key !== known));

export const isKnownSetting = (key: string): key is KnownSettingKey => Object.hasOwn(knownSettings, key);

/** Settings whose change takes the password (and code): whoever sets them decides where money goes, or how much of it. */
export const decidesMoney = (key: string): boolean =>
  isBankDetail(key) ||
  [secondPersonKey, maxTransferKey, platformFeeKey, vatKey, withholdingKey, payoutColumnsKey].includes(key);

/**
 * True if a value of another setting takes the password (and code) too: figures on the home page that nobody computed.
 */
export const claimsFigures = (key: string, value: string): boolean => key === homeFiguresKey && value === "claimed";

export const isBankDetail = (key: string): boolean => Object.values<string>(bankDetailKeys).includes(key);

/** Whoever raises one of these may do more alone. */
const limitKeys = [secondPersonKey, maxTransferKey] as const;
/** The deductions from sales. */
const rateKeys = [platformFeeKey, vatKey, withholdingKey] as const;
export type MoneySettingKey = (typeof limitKeys)[number] | (typeof rateKeys)[number];

const isLimit = (key: string): boolean => limitKeys.some((limit) => limit === key);
const isRate = (key: string): boolean => rateKeys.some((rate) => rate === key);

/** Owners are mailed whenever one of these changes. */
export const isMoneySetting = (key: string): key is MoneySettingKey => isLimit(key) || isRate(key);

/** Returns a number's current value: the stored one, or its default. */
export const effectiveValue = (key: NumberSettingKey, stored: string | null | undefined): string =>
  stored && /^\d+(\.\d+)?$/.test(stored) ? stored : settingDefaults[key];

/**
 * True if two owners change it: a raised limit, or another fee or tax. Both are values as {@link effectiveValue} gives
 * them.
 */
export function takesTwoOwners(key: string, { from, to }: { from: string; to: string }): boolean {
  if (isLimit(key)) return Number(to) > Number(from);
  return isRate(key) && Number(to) !== Number(from);
}

/** The meaning of such a change, for whoever confirms it and for every owner's mail. */
export const moneySettingWords: Record<
  MoneySettingKey,
  { name: string; title: string; effect: (after: string) => string }
> = {
  [secondPersonKey]: {
    name: "the amount that takes a second person",
    title: "The amount that takes a second person",
    effect: (after) =>
      `One owner alone approves less than ${after} in 30 days that the bank doesn't show. From there on another owner confirms it.`,
  },
  [maxTransferKey]: {
    name: "the limit of one transfer",
    title: "The limit of one transfer",
    effect: (after) => `From now on one transfer may be up to ${after}.`,
  },
  [platformFeeKey]: {
    name: "the platform's fee",
    title: "The platform's fee",
    effect: (after) =>
      `The terms of new projects take ${after} of what sales bring to backers. The terms that exist stay as they are.`,
  },
  [vatKey]: {
    name: "the VAT on the platform's fee",
    title: "The VAT on the platform's fee",
    effect: (after) =>
      `From the next settlement on ${after} of the platform's fee is taken of what backers get, and is owed to the state. Settlements that stand stay as they are.`,
  },
  [withholdingKey]: {
    name: "the tax withheld from backers",
    title: "The tax withheld from backers",
    effect: (after) =>
      `From the next settlement on ${after} of what sales bring to backers is withheld, and is owed to the state. Settlements that stand stay as they are.`,
  },
};

export const changeSettingTitle = (key: MoneySettingKey, from: string, to: string): string =>
  `Change ${moneySettingWords[key].name} from ${settingValueText(key, from)} to ${settingValueText(key, to)}`;
