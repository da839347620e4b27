import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { changeAsProved, type OwnProof, proveOwnAccount } from "#server/accounts/own-proof.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { listActiveOwners, lockUser } from "#server/accounts/users.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { settings } from "#server/db/schema/settings.ts";
import { queueMails } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import {
  type addSettingInput,
  readSettingValue,
  type saveSettingsInput,
  type updateSettingInput,
} from "#shared/settings.ts";
import { isBankDetail, isKnownSetting, knownSettings, settingTexts as texts } from "#shared/settings-texts.ts";
import { bankDetailsMail } from "./emails.ts";
import { findBankParts } from "./queries.ts";

/** The outcome of a change, for the page's text. */
type Saved = { wasAdded: boolean; wasChanged: boolean };

/** Adds a setting. Throws "A setting with this key exists already. …" and the fault of a known setting's value. */
export async function addSetting(ctx: ActorContext, input: z.output<typeof addSettingInput>): Promise<Saved> {
  const { key, description } = input;
  const value = checkedValue(key, input.value, "value");
  return changeSettings(ctx, { keys: [key], proof: input }, async (tx) => {
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
  return changeSettings(ctx, { keys: [key], proof: input }, async (tx) => {
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
  return changeSettings(ctx, { keys, proof: input }, async (tx) => {
    const found = await tx
      .select()
      .from(settings)
      .where(inArray(settings.key, keys))
      .orderBy(settings.key)
      .for("update");
    for (const [key, seen] of Object.entries(input.seen)) {
      const now = found.find((row) => row.key === key)?.value ?? "";
      // A value that is already stored is accepted, because the response to an earlier try may have been lost.
      const isTheSame = now === seen || now === values.get(key);
      if (values.has(key) && !isTheSame) throw new AppError("conflict", texts.changedMeanwhile);
    }
    const saved: Saved = { wasAdded: false, wasChanged: false };
    for (const [key, value] of values) {
      const before = found.find((row) => row.key === key);
      if (before) saved.wasChanged = (await writeValue(tx, ctx, before, value)) || saved.wasChanged;
      else {
        await insertSetting(tx, ctx, { key, value, description: describe(key) });
        saved.wasAdded = true;
        saved.wasChanged = true;
      }
    }
    return saved;
  });
}

const describe = (key: string): string => (isKnownSetting(key) ? knownSettings[key] : "");

function checkedValue(key: string, value: string, field: string): string {
  const read = readSettingValue(key, value);
  if ("fault" in read) throw new AppError("invalid", read.fault, { fields: { [field]: [read.fault] } });
  return read.value;
}

type Change = { keys: string[]; proof: OwnProof };

/**
 * Changes settings in one transaction. Bank details also need the password and the second factor, and every owner gets
 * a mail.
 */
async function changeSettings(ctx: ActorContext, change: Change, write: (tx: Tx) => Promise<Saved>): Promise<Saved> {
  if (change.keys.some(isBankDetail)) {
    const proved = await proveOwnAccount(ctx, change.proof);
    return changeAsProved(ctx, proved, async (tx) => {
      const saved = await write(tx);
      if (saved.wasChanged) await mailOwners(tx, ctx);
      return saved;
    });
  }
  return inTransaction(ctx.db, async (tx) => {
    await lockUser(tx, ctx.actor.id);
    // A loss of rights meanwhile has ended the session.
    await requireSession(tx, ctx.actor);
    return write(tx);
  });
}

async function insertSetting(
  tx: Tx,
  ctx: ActorContext,
  row: { key: string; value: string; description: string },
): Promise<void> {
  try {
    await tx.insert(settings).values({ ...row, updatedBy: ctx.actor.id, updatedAt: ctx.clock.now() });
  } catch (error) {
    if (!isUniqueViolation(error, "settings_key_key")) throw error;
    throw new AppError("conflict", texts.keyTaken, { fields: { key: [texts.keyTaken] } });
  }
  const { key, value } = row;
  await recordAudit(tx, ctx, "add_setting", { key, before: null, after: value });
}

async function writeValue(
  tx: Tx,
  ctx: ActorContext,
  before: typeof settings.$inferSelect,
  value: string,
): Promise<boolean> {
  if (before.value === value) return false;
  await tx
    .update(settings)
    .set({ value, updatedBy: ctx.actor.id, updatedAt: ctx.clock.now() })
    .where(eq(settings.id, before.id));
  await recordAudit(tx, ctx, "update_setting", { key: before.key, before: before.value, after: value });
  return true;
}

async function mailOwners(tx: Tx, ctx: ActorContext): Promise<void> {
  const details = await findBankParts(tx);
  const eventKey = `bank_details:${randomUUID()}`;
  const { publicUrl } = ctx.env;
  const mails = (await listActiveOwners(tx)).map(({ email, fullName }) => ({
    eventKey,
    to: email,
    ...bankDetailsMail({ fullName, publicUrl, changedBy: ctx.actor, details, at: ctx.clock.now() }),
  }));
  await queueMails(tx, ctx, mails, { isUrgent: true });
}
