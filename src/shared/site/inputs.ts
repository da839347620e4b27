import { z } from "zod";
import { emailFieldSaying } from "#shared/accounts/inputs.ts";
import { cleanLines } from "#shared/free-text.ts";
import { shortText } from "#shared/short-text.ts";
import { profileTexts as texts } from "./profile-texts.ts";

const oneLine = (text: string, min: number, max: number) =>
  shortText(text)
    .min(min, text)
    .max(max, text)
    .regex(/^\P{C}*$/u, text);

/** A field that may be left empty, and is null then. */
const orNull = <Field extends z.ZodType<string, string>>(field: Field) =>
  z
    .string()
    .transform((typed) => (typed.trim() === "" ? null : typed))
    .pipe(field.nullable());

/** A number as people in Nigeria type it (0803 123 4567) or with its country (+44 20 …), as +2348031234567. */
export function readPhone(typed: string): string | null {
  if (!/^\+?[\d\s().\p{Dash}/]+$/u.test(typed)) return null;
  const digits = typed.replace(/\D/g, "");
  const whole = typed.startsWith("+")
    ? digits
    : digits
        .replace(/^00/, "")
        .replace(/^0(?=\d{7,10}$)/, "234")
        .replace(/^(?=[789][01]\d{8}$)/, "234");
  const isNigerian = whole.startsWith("234");
  // The 0 within "+234 (0) 803 …" isn't dialled.
  const number = isNigerian ? whole.replace(/^2340/, "234") : whole;
  const isWhole = isNigerian ? /^234\d{7,10}$/.test(number) : /^[1-9]\d{6,14}$/.test(number);
  return isWhole && (isNigerian || typed.startsWith("+") || digits.startsWith("00")) ? `+${number}` : null;
}

const phone = shortText(texts.phoneInvalid)
  .max(40, texts.phoneInvalid)
  .transform((typed, ctx) => {
    const number = readPhone(typed);
    if (number !== null) return number;
    ctx.addIssue({ code: "custom", message: texts.phoneInvalid });
    return z.NEVER;
  });

/** "rc123456" is RC 123456. */
const companyNumber = shortText(texts.companyNumberInvalid)
  .max(40, texts.companyNumberInvalid)
  .transform((typed) =>
    typed
      .toUpperCase()
      .replace(/[\s.:\p{Dash}]+/gu, "")
      .replace(/^([A-Z]+)(?=\d)/, "$1 "),
  )
  .pipe(z.string().regex(/^(RC|BN|IT) \d{3,8}$/, texts.companyNumberInvalid));

const severalLines = (text: string) => z.string(text).max(400, text).overwrite(cleanLines).min(1, text).max(300, text);

const letters = (text: string, pattern: RegExp) => shortText(text).toUpperCase().pipe(z.string().regex(pattern, text));

/** The fields of the company's form: each is a text, and empty where there is none. */
const company = {
  name: oneLine(texts.nameInvalid, 2, 40),
  legalName: orNull(oneLine(texts.legalNameInvalid, 2, 120)),
  tagline: oneLine(texts.taglineInvalid, 1, 120),
  companyNumber: orNull(companyNumber),
  address: orNull(severalLines(texts.addressInvalid)),
  phone: orNull(phone),
  whatsapp: orNull(phone),
  supportEmail: orNull(emailFieldSaying(texts.supportEmailInvalid)),
  regulatorNote: orNull(severalLines(texts.regulatorNoteInvalid)),
  referencePrefix: letters(texts.referencePrefixInvalid, /^[A-Z]{2,5}$/),
  paperPrefix: letters(texts.paperPrefixInvalid, /^[A-Z]$/),
};

/** GP-7K3P-9Q2M is a payout's reference where G is the papers' letter. */
const tellApart = [
  ({ referencePrefix, paperPrefix }: { referencePrefix: string; paperPrefix: string }) =>
    referencePrefix !== `${paperPrefix}P`,
  { path: ["referencePrefix"], message: texts.prefixesAlike },
] satisfies [unknown, unknown];

export const companyForm = z.object(company).refine(...tellApart);

/** The version that filled a form, so that another owner's change since isn't overwritten. */
const seenVersion = z.int().min(0).max(1_000_000);

export const saveCompanyInput = z.object({ ...company, seenVersion }).refine(...tellApart);

/** As a colour field gives it, or typed: "#1D6B2F", "1d6b2f". */
const color = shortText(texts.colorInvalid)
  .toLowerCase()
  .transform((typed) => typed.replace(/^#?/, "#"))
  .pipe(z.string().regex(/^#[0-9a-f]{6}$/, texts.colorInvalid));

export const tryColorInput = z.object({ color });

/** Null for the product's own green, and for the first letter in place of a mark. */
export const saveLookInput = z.object({ color: color.nullable(), markFileId: z.uuid().nullable(), seenVersion });
