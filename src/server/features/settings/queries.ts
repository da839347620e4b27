import { asc, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { isInfiniteRecursion } from "#server/db/errors.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { siteProfiles } from "#server/db/schema/site.ts";
import { users } from "#server/db/schema/users.ts";
import type { Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { type Kobo, nairaToKobo } from "#shared/money.ts";
import { type PayoutColumn, parsePayoutColumns } from "#shared/payouts/columns.ts";
import { readSettingValue } from "#shared/settings/inputs.ts";
import {
  autoPublishKey,
  type BankDetails,
  bankDetailKeys,
  type HomeFiguresChoice,
  holdHoursKey,
  homeFiguresChoices,
  homeFiguresKey,
  isSwitchedOn,
  knownSettings,
  maxLotsKey,
  maxTransferKey,
  messageDaysKey,
  type NumberSettingKey,
  offerHoursKey,
  payoutColumnsKey,
  platformFeeKey,
  refundDaysKey,
  requireSignInKey,
  secondPersonKey,
  settingDefaults,
  settingTexts,
  supportEmailKey,
  vatKey,
  withholdingKey,
} from "#shared/settings/texts.ts";

/** The bank account that backers transfer to; null if any part of it is unset. */
export async function findBankDetails(db: DbOrTx): Promise<BankDetails | null> {
  const { bankName, accountName, accountNumber } = await findBankParts(db);
  return bankName && accountName && accountNumber ? { bankName, accountName, accountNumber } : null;
}

/** The parts of the bank account that are set. */
export async function findBankParts(db: DbOrTx) {
  const rows = await db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(inArray(settings.key, Object.values(bankDetailKeys)));
  const read = (key: string) => rows.find((row) => row.key === key)?.value;
  return {
    bankName: read(bankDetailKeys.bankName),
    accountName: read(bankDetailKeys.accountName),
    accountNumber: read(bankDetailKeys.accountNumber),
  };
}

const listLimit = 1000;

/**
 * All settings, by key, with the support address of the site's profile among them. Throws "Permission error loading
 * settings. …" if a policy of the database refers to itself.
 */
export async function listSettings({ db }: Context) {
  try {
    const [stored, supportEmail] = [await findSettings(db), await findSupportEmail(db)];
    return [...stored, ...supportEmail].sort((one, other) => (one.key < other.key ? -1 : 1));
  } catch (error) {
    if (!isInfiniteRecursion(error)) throw error;
    throw new AppError("unavailable", settingTexts.loadRefused, { cause: error });
  }
}

function findSettings(db: DbOrTx) {
  const { id, key, value, description, updatedAt } = settings;
  return db
    .select({ id, key, value, description, updatedAt, updatedByName: users.fullName })
    .from(settings)
    .leftJoin(users, eq(users.id, settings.updatedBy))
    .where(ne(key, supportEmailKey))
    .orderBy(asc(key))
    .limit(listLimit);
}

/** The support address as a row: a view of the profile, and who wrote it last. Without one: none. */
async function findSupportEmail(db: DbOrTx): Promise<Awaited<ReturnType<typeof findSettings>>> {
  const versions = await db
    .select({ value: siteProfiles.supportEmail, updatedAt: siteProfiles.createdAt, updatedByName: users.fullName })
    .from(siteProfiles)
    .leftJoin(users, eq(users.id, siteProfiles.writtenBy))
    .orderBy(desc(siteProfiles.version))
    .limit(1);
  return versions.flatMap(({ value, ...written }) =>
    value === null
      ? []
      : { id: supportEmailId, key: supportEmailKey, value, description: knownSettings[supportEmailKey], ...written },
  );
}

/** No row of the table has it. */
const supportEmailId = 0;

/** Returns true if project pages need a sign-in (setting requiresigninforprojects; public by default). */
export async function requiresSignInForProjects(db: DbOrTx): Promise<boolean> {
  return isOn(db, requireSignInKey);
}

/** The fee of new projects in basis points of sales (setting platformfee). */
export async function findPlatformFee(db: DbOrTx): Promise<number> {
  return Math.round((await findNumber(db, platformFeeKey)) * 100);
}

/**
 * The taxes of settlements in basis points: on the platform's fee, and withheld from shares (settings vatpercent,
 * withholdingpercent).
 */
export async function findTaxRates(db: DbOrTx): Promise<{ vatRate: number; whtRate: number }> {
  const [vat, withholding] = [await findNumber(db, vatKey), await findNumber(db, withholdingKey)];
  return { vatRate: Math.round(vat * 100), whtRate: Math.round(withholding * 100) };
}

/** For how long lots are held, in hours (setting holdhours); 0 means not at all. */
export async function findHoldHours(db: DbOrTx): Promise<number> {
  return findNumber(db, holdHoursKey);
}

/** After how many hours a report is published by itself; 0 never (setting reportautopublish). */
export async function findAutoPublishHours(db: DbOrTx): Promise<number> {
  return findNumber(db, autoPublishKey);
}

/** After how many days a backer's message without an answer is late (setting messagedays). */
export async function findMessageDays(db: DbOrTx): Promise<number> {
  return findNumber(db, messageDaysKey);
}

/** For how long lots are offered, in hours by day (setting offerhours). */
export async function findOfferHours(db: DbOrTx): Promise<number> {
  return findNumber(db, offerHoursKey);
}

/** Finds the most lots of a round that one person may buy (setting maxlots). */
export async function findMaxLots(db: DbOrTx): Promise<number> {
  return findNumber(db, maxLotsKey);
}

/** Finds the amount from which a second person confirms what nobody has seen in the bank (setting secondperson). */
export async function findSecondPersonAmount(db: DbOrTx): Promise<Kobo> {
  return readSecondPersonAmount((await findValue(db, secondPersonKey)) ?? null);
}

/** The setting itself, for {@link readSecondPersonAmount}, in a statement that reads more; null where it is unset. */
export const secondPersonValue = sql<string | null>`(
  select ${settings.value} from ${settings} where ${settings.key} = ${secondPersonKey}
)`;

export const readSecondPersonAmount = (value: string | null): Kobo => nairaToKobo(numberFrom(secondPersonKey, value));

/** The most that one transfer may have (setting maxtransfer). */
export async function findMaxTransfer(db: DbOrTx): Promise<Kobo> {
  return nairaToKobo(await findNumber(db, maxTransferKey));
}

/** Within how many working days money that is due is paid out (setting refunddays). */
export async function findRefundDays(db: DbOrTx): Promise<number> {
  return findNumber(db, refundDaysKey);
}

/** The columns of payout files that our own bank wants (setting payoutcolumns); null if none are set. */
export async function findPayoutColumns(db: DbOrTx): Promise<PayoutColumn[] | null> {
  return parsePayoutColumns((await findValue(db, payoutColumnsKey)) ?? "");
}

/** Which figures stand on the home page (setting homefigures; computed by default). */
export async function findHomeFiguresChoice(db: DbOrTx): Promise<HomeFiguresChoice> {
  const value = await findValue(db, homeFiguresKey);
  return homeFiguresChoices.find((choice) => choice === value) ?? "computed";
}

async function findNumber(db: DbOrTx, key: NumberSettingKey): Promise<number> {
  return numberFrom(key, (await findValue(db, key)) ?? null);
}

function numberFrom(key: NumberSettingKey, value: string | null): number {
  const read = readSettingValue(key, value ?? "");
  return Number("value" in read ? read.value : settingDefaults[key]);
}

async function isOn(db: DbOrTx, key: string): Promise<boolean> {
  return isSwitchedOn(await findValue(db, key));
}

async function findValue(db: DbOrTx, key: string): Promise<string | undefined> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return row?.value;
}
