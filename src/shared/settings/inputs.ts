import { z } from "zod";
import { emailFieldSaying } from "#shared/accounts/inputs.ts";
import { sessionTimeoutKey } from "#shared/accounts/sessions.ts";
import { cleanText } from "#shared/free-text.ts";
import { rowId } from "#shared/ids.ts";
import { noPayoutColumns, parsePayoutColumns } from "#shared/payouts/columns.ts";
import { shortText } from "#shared/short-text.ts";
import {
  autoPublishKey,
  bankDetailKeys,
  careersKey,
  holdHoursKey,
  homeFiguresChoices,
  homeFiguresKey,
  isKnownSetting,
  isMoneySetting,
  type KnownSettingKey,
  type MoneySettingKey,
  maxLotsKey,
  maxTransferKey,
  messageDaysKey,
  offerHoursKey,
  payoutColumnsKey,
  platformFeeKey,
  refundDaysKey,
  requireSignInKey,
  requireTwoFactorKey,
  reviewDaysKey,
  secondPersonKey,
  supportEmailKey,
  settingTexts as texts,
  vatKey,
  withholdingKey,
} from "./texts.ts";

const oneLine = (text: string) =>
  shortText(text)
    .min(2, text)
    .max(100, text)
    .regex(/^\P{C}*$/u, text);
const onOrOff = shortText(texts.switchInvalid)
  .toLowerCase()
  .pipe(z.enum(["true", "false"], texts.switchInvalid));
const wholeNumber = (text: string, { min, max }: { min: number; max: number }) =>
  shortText(text)
    .regex(/^\d{1,10}$/, text)
    .transform(Number)
    .pipe(z.int().min(min, text).max(max, text))
    .transform(String);
/** Naira may be typed as they are shown: "₦1,000,000". */
const wholeNaira = (text: string, limits: { min: number; max: number }) =>
  shortText(text)
    .transform((typed) => typed.replace(/^₦\s*(?=\d)/, "").replace(/(?<=\d),(?=\d{3}(?!\d))/g, ""))
    .pipe(wholeNumber(text, limits));
/** From 0 to 30, with at most two decimals. */
const percentage = (text: string) => shortText(text).regex(/^(?:30(?:\.0{1,2})?|[12]?\d(?:\.\d{1,2})?)$/, text);
const freeValue = z
  .string(texts.valueMissing)
  .max(5000, texts.valueTooLong)
  .overwrite(cleanText)
  .min(1, texts.valueMissing);

/** The format of each known setting by its key, for the cards' forms and the table. */
const settingFields = {
  [sessionTimeoutKey]: shortText(texts.timeoutInvalid)
    .regex(/^\d{1,9}$/, texts.timeoutInvalid)
    .transform(Number)
    .pipe(z.int().min(1, texts.timeoutInvalid).max(1440, texts.timeoutTooLong))
    .transform(String),
  [bankDetailKeys.bankName]: oneLine(texts.bankNameInvalid),
  [bankDetailKeys.accountName]: oneLine(texts.accountNameInvalid),
  [bankDetailKeys.accountNumber]: shortText(texts.accountNumberInvalid)
    .transform((text) => text.replace(/[\s-]/g, ""))
    .pipe(z.string().regex(/^\d{10}$/, texts.accountNumberInvalid)),
  [supportEmailKey]: emailFieldSaying(texts.supportEmailInvalid),
  [platformFeeKey]: percentage(texts.platformFeeInvalid),
  [holdHoursKey]: wholeNumber(texts.holdHoursInvalid, { min: 0, max: 168 }),
  [offerHoursKey]: wholeNumber(texts.offerHoursInvalid, { min: 1, max: 168 }),
  [maxLotsKey]: wholeNumber(texts.maxLotsInvalid, { min: 1, max: 1000 }),
  [secondPersonKey]: wholeNaira(texts.secondPersonInvalid, { min: 0, max: 1_000_000_000 }),
  [maxTransferKey]: wholeNaira(texts.maxTransferInvalid, { min: 1000, max: 1_000_000_000 }),
  [refundDaysKey]: wholeNumber(texts.refundDaysInvalid, { min: 1, max: 60 }),
  [messageDaysKey]: wholeNumber(texts.messageDaysInvalid, { min: 1, max: 30 }),
  [reviewDaysKey]: wholeNumber(texts.reviewDaysInvalid, { min: 1, max: 30 }),
  [autoPublishKey]: wholeNumber(texts.autoPublishInvalid, { min: 0, max: 168 }),
  [vatKey]: percentage(texts.taxRateInvalid),
  [withholdingKey]: percentage(texts.taxRateInvalid),
  [payoutColumnsKey]: shortText(texts.payoutColumnsInvalid)
    .max(2000, texts.payoutColumnsInvalid)
    .refine((text) => text === noPayoutColumns || parsePayoutColumns(text) !== null, texts.payoutColumnsInvalid),
  [homeFiguresKey]: shortText(texts.homeFiguresInvalid)
    .toLowerCase()
    .pipe(z.enum(homeFiguresChoices, texts.homeFiguresInvalid)),
  [careersKey]: shortText(texts.careersInvalid)
    .toLowerCase()
    .pipe(z.enum(["on", "off"], texts.careersInvalid)),
  [requireSignInKey]: onOrOff,
  [requireTwoFactorKey]: onOrOff,
} satisfies Record<KnownSettingKey, z.ZodType<string>>;

/** The fields of a bank account. */
export const bankDetailFields = {
  bankName: settingFields[bankDetailKeys.bankName],
  accountName: settingFields[bankDetailKeys.accountName],
  accountNumber: settingFields[bankDetailKeys.accountNumber],
};

/** The value to store for a typed one, or its fault. */
export function readSettingValue(key: string, value: string): { value: string } | { fault: string } {
  const field = isKnownSetting(key) ? settingFields[key] : freeValue;
  const parsed = field.safeParse(value);
  return parsed.success ? { value: parsed.data } : { fault: parsed.error.issues[0]?.message ?? texts.valueMissing };
}

/** Only known keys, because an unknown one would seem to have an effect. */
const key = shortText(texts.keyMissing)
  .toLowerCase()
  .min(1, texts.keyMissing)
  .refine((given) => given === "" || isKnownSetting(given), texts.keyUnknown);
const description = shortText().max(500, texts.descriptionTooLong).default("");

/**
 * One row of the table. `seenValue` is the value that was edited: a value that another person has set since isn't
 * overwritten.
 */
export const updateSettingInput = z.object({
  settingId: rowId,
  value: freeValue,
  seenValue: z.string().max(5000),
});

export const addSettingInput = z.object({ key, value: freeValue, description });

const knownValues = z.partialRecord(z.enum(Object.keys(settingFields) as KnownSettingKey[]), z.string().max(5000));

/**
 * Known settings as their cards save them, several at once; missing ones are added. `seen` has the values that filled
 * the card ("" for missing ones), so that another person's change since isn't overwritten.
 */
export const saveSettingsInput = z.object({
  seen: knownValues.default({}),
  values: knownValues.refine((values) => Object.keys(values).length > 0, texts.nothingToSave),
});

const moneyKey = z
  .string(texts.keyMissing)
  .refine((given): given is MoneySettingKey => isMoneySetting(given), texts.keyUnknown);
/** A change that takes two owners: what counts now, as the asking owner saw it, and what is to count. */
export const changeSettingDetails = z
  .object({ key: moneyKey, from: z.string().max(20), to: z.string().max(20) })
  .superRefine(({ key, to }, ctx) => {
    const read = readSettingValue(key, to);
    if ("fault" in read || read.value !== to) {
      ctx.addIssue({ code: "custom", path: ["to"], message: "fault" in read ? read.fault : texts.valueMissing });
    }
  });
