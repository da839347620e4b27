import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, ne } from "drizzle-orm";
import type { z } from "zod";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { lockUser } from "#server/accounts/users.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { settings } from "#server/db/schema/settings.ts";
import { lockProfile, writeSupportEmail } from "#server/features/site/profile/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { requireProof } from "#server/platform/procedures.ts";
import { readProfile } from "#server/platform/site.ts";
import { ownAccountTexts } from "#shared/bank/own-accounts-texts.ts";
import {
  type addSettingInput,
  readSettingValue,
  type saveSettingsInput,
  type updateSettingInput,
} from "#shared/settings/inputs.ts";
import {
  type BankDetails,
  bankDetailKeys,
  claimsFigures,
  decidesMoney,
  effectiveValue,
  isBankDetail,
  isKnownSetting,
  isMoneySetting,
  knownSettings,
  type MoneySettingKey,
  reviewDaysKey,
  supportEmailKey,
  takesTwoOwners,
  settingTexts as texts,
} from "#shared/settings/texts.ts";
import { bankDetailsMail, moneySettingMail } from "./emails.ts";
import { findBankDetails, findBankParts } from "./queries.ts";

/**
 * Settings, and what a change of them takes: bank details the proof of the account, a raised limit and another fee or
 * tax a second owner (second-person.ts).
 */

/** The outcome of a change, for the page's text. */
type Saved = { wasAdded: boolean; wasChanged: boolean };

/** Adds a setting. Throws "A setting with this key exists already. …" and the fault of a known setting's value. */
export async function addSetting(ctx: ActorContext, input: z.output<typeof addSettingInput>): Promise<Saved> {
  const { key, description } = input;
  const value = checkedValue(key, input.value, "value");
  return changeSettings(ctx, [key], async (tx) => {
    if (key === supportEmailKey) {
      if ((await lockProfile(tx)).supportEmail !== null) throw fieldRefusal("key", texts.keyTaken);
      return saveSupportEmail(tx, ctx, value);
    }
    await insertSetting(tx, ctx, { key, value, description: description || describe(key) });
    return { wasAdded: true, wasChanged: true };
  });
}

/** Changes a setting. Throws "This setting was changed in the meantime. …" if it differs from the value seen. */
export async function updateSetting(ctx: ActorContext, input: z.output<typeof updateSettingInput>): Promise<Saved> {
  const [seen] = await ctx.db.select().from(settings).where(eq(settings.id, input.settingId));
  if (!seen) throw new AppError("not_found", texts.notFound);
  const { key } = seen;
  const value = checkedValue(key, input.value, "value");
  return changeSettings(ctx, [key], async (tx) => {
    const [before] = await tx.select().from(settings).where(eq(settings.key, key)).for("update");
    if (before?.id !== seen.id) throw new AppError("not_found", texts.notFound);
    if (before.value !== input.seenValue) throw new AppError("conflict", texts.changedMeanwhile);
    return { wasAdded: false, wasChanged: await writeValue(tx, ctx, before, value) };
  });
}

/**
 * Saves known settings together, and adds missing ones. Nothing is saved if one of them is invalid or differs from the
 * value seen: "This setting was changed in the meantime. …".
 */
export async function saveSettings(ctx: ActorContext, input: z.output<typeof saveSettingsInput>): Promise<Saved> {
  const values = new Map<string, string>();
  for (const [key, value = ""] of Object.entries(input.values)) values.set(key, checkedValue(key, value, key));
  const keys = [...values.keys()].sort();
  return changeSettings(ctx, keys, async (tx) => {
    const found = await tx
      .select()
      .from(settings)
      .where(inArray(settings.key, keys))
      .orderBy(settings.key)
      .for("update");
    // Another owner's change of the address waits, and sees this one.
    const { supportEmail } = await (values.has(supportEmailKey) ? lockProfile(tx) : readProfile(tx));
    for (const [key, seen] of Object.entries(input.seen)) {
      const stored = key === supportEmailKey ? supportEmail : found.find((row) => row.key === key)?.value;
      const now = stored ?? "";
      // A value that is already stored is accepted, because the response to an earlier try may have been lost.
      const isTheSame = now === seen || now === values.get(key);
      if (values.has(key) && !isTheSame) throw new AppError("conflict", texts.changedMeanwhile);
    }
    const saved: Saved = { wasAdded: false, wasChanged: false };
    for (const [key, value] of values) {
      const before = found.find((row) => row.key === key);
      if (key === supportEmailKey) {
        const { wasAdded, wasChanged } = await saveSupportEmail(tx, ctx, value);
        saved.wasAdded ||= wasAdded;
        saved.wasChanged ||= wasChanged;
      } else if (before) saved.wasChanged = (await writeValue(tx, ctx, before, value)) || saved.wasChanged;
      else {
        await insertSetting(tx, ctx, { key, value, description: describe(key) });
        saved.wasAdded = true;
        saved.wasChanged = true;
      }
    }
    return saved;
  });
}

/** The support address is the site's profile's, which keeps each version and tells every owner. */
async function saveSupportEmail(tx: Tx, ctx: ActorContext, value: string): Promise<Saved> {
  const { supportEmail } = await readProfile(tx);
  return { wasAdded: supportEmail === null, wasChanged: await writeSupportEmail(tx, ctx, value) };
}

const describe = (key: string): string => (isKnownSetting(key) ? knownSettings[key] : "");

function checkedValue(key: string, value: string, field: string): string {
  const read = readSettingValue(key, value);
  if ("fault" in read) throw new AppError("invalid", read.fault, { fields: { [field]: [read.fault] } });
  return read.value;
}

/**
 * Changes settings in one transaction. What decides money needs the password (and code). The first bank details are one
 * owner's, and every owner gets a mail; later ones take a second person (second-person.ts).
 */
async function changeSettings(ctx: ActorContext, keys: string[], write: (tx: Tx) => Promise<Saved>): Promise<Saved> {
  if (keys.some((key) => decidesMoney(key) || key === supportEmailKey)) requireProof(ctx);
  if (keys.some(isBankDetail))
    return inTransaction(ctx.db, (tx) => setBankDetails(tx, ctx, write)).catch(refuseTakenAccount);
  const saved = await inTransaction(ctx.db, async (tx) => {
    await lockUser(tx, ctx.actor.id);
    // A loss of rights meanwhile has ended the session.
    await requireSession(tx, ctx.actor);
    return write(tx);
  });
  if (keys.includes(supportEmailKey) || keys.includes(reviewDaysKey)) await ctx.site.refresh();
  return saved;
}

async function setBankDetails(tx: Tx, ctx: ActorContext, write: (tx: Tx) => Promise<Saved>): Promise<Saved> {
  await lockOwnAccounts(tx);
  await lockUser(tx, ctx.actor.id);
  await requireSession(tx, ctx.actor);
  const before = await findBankDetails(tx);
  const saved = await write(tx);
  if (!saved.wasChanged) return saved;
  if (before) throw new AppError("forbidden", texts.bankNeedsAnother);
  await keepAccountInStep(tx, ctx);
  await mailOwnersOfBankDetails(tx, ctx);
  return saved;
}

type NewSetting = { key: string; value: string; description: string };

async function insertSetting(tx: Tx, ctx: ActorContext, row: NewSetting, confirmed?: ConfirmedChange): Promise<void> {
  if (claimsFigures(row.key, row.value)) requireProof(ctx);
  await requireTwoOwnersForMoney(tx, ctx, { key: row.key, before: null, value: row.value }, confirmed);
  try {
    await tx.insert(settings).values({ ...row, updatedBy: ctx.actor.id, updatedAt: ctx.clock.now() });
  } catch (error) {
    if (!isUniqueViolation(error, "settings_key_key")) throw error;
    throw new AppError("conflict", texts.keyTaken, { fields: { key: [texts.keyTaken] } });
  }
  const { key, value } = row;
  await recordAudit(tx, ctx, "add_setting", { key, before: null, after: value, ...confirmed?.audit });
}

/** The asker of a change that two owners agreed to, and the facts of their request for the audit entry. */
export type ConfirmedChange = { askedBy: string; audit: { requestId: number; reason: string } };

/** Keeps a value of a setting that two owners agreed to. Throws "conflict" if another counts than the one they saw. */
export async function writeConfirmed(
  tx: Tx,
  ctx: ActorContext,
  { key, from, to }: { key: MoneySettingKey; from: string; to: string },
  confirmed: ConfirmedChange,
): Promise<void> {
  const [before] = await tx.select().from(settings).where(eq(settings.key, key)).for("update");
  if (effectiveValue(key, before?.value) !== from) throw new AppError("conflict", texts.changedMeanwhile);
  if (before) await writeValue(tx, ctx, before, to, confirmed);
  else await insertSetting(tx, ctx, { key, value: to, description: describe(key) }, confirmed);
}

/** Makes sure that one owner may change it alone, or two have agreed, and tells every owner. */
async function requireTwoOwnersForMoney(
  tx: Tx,
  ctx: ActorContext,
  { key, before, value }: { key: string; before: string | null; value: string },
  confirmed: ConfirmedChange | undefined,
): Promise<void> {
  if (!isMoneySetting(key)) return;
  const change = { from: effectiveValue(key, before), to: value };
  if (confirmed === undefined && takesTwoOwners(key, change)) throw new AppError("conflict", texts.takesTwo);
  if (Number(change.from) === Number(change.to)) return;
  await mailOwnersOfMoney(tx, ctx, { key, ...change, askedBy: confirmed?.askedBy ?? null });
}

async function writeValue(
  tx: Tx,
  ctx: ActorContext,
  before: typeof settings.$inferSelect,
  value: string,
  confirmed?: ConfirmedChange,
): Promise<boolean> {
  if (before.value === value) return false;
  if (claimsFigures(before.key, value)) requireProof(ctx);
  await requireTwoOwnersForMoney(tx, ctx, { key: before.key, before: before.value, value }, confirmed);
  await tx
    .update(settings)
    .set({ value, updatedBy: ctx.actor.id, updatedAt: ctx.clock.now() })
    .where(eq(settings.id, before.id));
  await recordAudit(tx, ctx, "update_setting", {
    key: before.key,
    before: before.value,
    after: value,
    ...confirmed?.audit,
  });
  return true;
}

type OwnAccount = typeof ownAccounts.$inferSelect;

/** The platform's bank accounts, locked. The bank details come before them, the ledger after them. */
export async function lockOwnAccounts(tx: Tx): Promise<OwnAccount[]> {
  await tx
    .select({ id: settings.id })
    .from(settings)
    .where(inArray(settings.key, Object.values(bankDetailKeys)))
    .orderBy(asc(settings.key))
    .for("update");
  return tx.select().from(ownAccounts).orderBy(asc(ownAccounts.id)).for("update");
}

/** Returns an account's facts for the audit log. */
const accountFacts = ({ bankName, accountName, accountNumber, bankCode }: AccountValues) => ({
  bankName,
  accountName,
  accountNumber,
  bankCode,
});
type AccountValues = BankDetails & { bankCode: string | null };

/** Keeps another account. The first one ever is the active one. The caller locks the accounts. */
export async function insertOwnAccount(
  tx: Tx,
  ctx: ActorContext,
  { accounts, ...given }: AccountValues & { accounts: OwnAccount[] },
): Promise<OwnAccount> {
  const isFirst = accounts.length === 0;
  const at = ctx.clock.now();
  const values = accountFacts(given);
  const [added] = await tx
    .insert(ownAccounts)
    .values({
      ...values,
      isActive: isFirst,
      createdBy: ctx.actor.id,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!added) throw new Error("the account was not written");
  await recordAudit(tx, ctx, "add_own_account", { accountId: added.id, before: null, after: values });
  return added;
}

/** Changes what an account is. False if that is what it was. */
export async function changeOwnAccountRow(
  tx: Tx,
  ctx: ActorContext,
  account: OwnAccount,
  values: AccountValues,
): Promise<boolean> {
  const [before, after] = [accountFacts(account), accountFacts(values)];
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  const isOther = before.bankName !== after.bankName || before.accountNumber !== after.accountNumber;
  if (isOther && account.openedOn !== null) throw new AppError("conflict", ownAccountTexts.opened);
  await tx
    .update(ownAccounts)
    .set({ ...after, updatedAt: ctx.clock.now() })
    .where(eq(ownAccounts.id, account.id));
  await recordAudit(tx, ctx, "change_own_account", { accountId: account.id, before, after });
  return true;
}

/** Makes an account the one that backers transfer to. */
async function activateOwnAccountRow(tx: Tx, ctx: ActorContext, account: OwnAccount): Promise<void> {
  const [before] = await tx
    .update(ownAccounts)
    .set({ isActive: false, updatedAt: ctx.clock.now() })
    .where(and(eq(ownAccounts.isActive, true), ne(ownAccounts.id, account.id)))
    .returning({ id: ownAccounts.id });
  await tx
    .update(ownAccounts)
    .set({ isActive: true, closedAt: null, updatedAt: ctx.clock.now() })
    .where(eq(ownAccounts.id, account.id));
  const { id: accountId } = account;
  await recordAudit(tx, ctx, "activate_own_account", { accountId, before: before?.id ?? null, after: accountId });
}

/** Shows an account's details on the payment pages, and tells every owner. The bank details are locked. */
export async function showBankDetails(tx: Tx, ctx: ActorContext, details: BankDetails): Promise<void> {
  let wasChanged = false;
  for (const part of ["bankName", "accountName", "accountNumber"] as const) {
    const [key, value] = [bankDetailKeys[part], details[part]];
    const [before] = await tx.select().from(settings).where(eq(settings.key, key));
    if (before) wasChanged = (await writeValue(tx, ctx, before, value)) || wasChanged;
    else {
      await insertSetting(tx, ctx, { key, value, description: describe(key) });
      wasChanged = true;
    }
  }
  if (wasChanged) await mailOwnersOfBankDetails(tx, ctx);
}

/**
 * Bank details that were saved as settings are those of the active account: it is changed or, where statements of it were
 * imported and it is another account now, another one takes its place.
 */
export async function keepAccountInStep(tx: Tx, ctx: ActorContext): Promise<void> {
  const accounts = await lockOwnAccounts(tx);
  const details = await findBankDetails(tx);
  if (!details) return;
  const active = accounts.find(({ isActive }) => isActive);
  const isIt = (account: OwnAccount) =>
    account.bankName === details.bankName && account.accountNumber === details.accountNumber;
  const known = active && isIt(active) ? active : accounts.find(isIt);
  const kept = known ?? (active?.openedOn === null ? active : undefined);
  if (!kept) {
    const added = await insertOwnAccount(tx, ctx, { accounts, ...details, bankCode: null });
    if (!added.isActive) await activateOwnAccountRow(tx, ctx, added);
    return;
  }
  // Another bank has another code.
  const bankCode = kept.bankName === details.bankName ? kept.bankCode : null;
  await changeOwnAccountRow(tx, ctx, kept, { ...details, bankCode });
  if (!kept.isActive) await activateOwnAccountRow(tx, ctx, kept);
}

/** Two people kept the same account, or the first one, at once. */
export function refuseTakenAccount(error: unknown): never {
  if (isUniqueViolation(error, "own_accounts_number_key")) throw fieldRefusal("accountNumber", ownAccountTexts.taken);
  throw isUniqueViolation(error, "own_accounts_one_active")
    ? new AppError("conflict", ownAccountTexts.changedMeanwhile, { cause: error })
    : error;
}

async function mailOwnersOfBankDetails(tx: Tx, ctx: ActorContext): Promise<void> {
  const details = await findBankParts(tx);
  const eventKey = `bank_details:${randomUUID()}`;
  const site = ctx.site.current();
  await mailOwners(tx, ctx, {
    eventKey,
    isUrgent: true,
    write: ({ fullName }) => bankDetailsMail({ fullName, site, changedBy: ctx.actor, details, at: ctx.clock.now() }),
  });
}

/** Mails all owners of a change to what one owner may do alone, or to what is taken of sales. */
async function mailOwnersOfMoney(
  tx: Tx,
  ctx: ActorContext,
  { key, from, to, askedBy }: { key: MoneySettingKey; from: string; to: string; askedBy: string | null },
): Promise<void> {
  const eventKey = `money_setting:${randomUUID()}`;
  const site = ctx.site.current();
  const change = { key, before: from, after: to, askedBy, changedBy: ctx.actor, at: ctx.clock.now() };
  await mailOwners(tx, ctx, {
    eventKey,
    isUrgent: true,
    write: ({ fullName }) => moneySettingMail({ fullName, site, ...change }),
  });
}
