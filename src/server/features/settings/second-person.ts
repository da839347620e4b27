import { eq } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { changeBankDetailsDetails } from "#shared/second-person/inputs.ts";
import { bankDetailsTexts } from "#shared/second-person/texts.ts";
import { changeSettingDetails } from "#shared/settings/inputs.ts";
import {
  type BankDetails,
  changeSettingTitle,
  effectiveValue,
  type MoneySettingKey,
  moneySettingWords,
  settingValueText,
  takesTwoOwners,
  settingTexts as texts,
} from "#shared/settings/texts.ts";
import { findBankDetails } from "./queries.ts";
import {
  changeOwnAccountRow,
  keepAccountInStep,
  lockOwnAccounts,
  refuseTakenAccount,
  showBankDetails,
  writeConfirmed,
} from "./service.ts";

/** Acts about settings that take two people: a higher limit of what one owner does alone, another fee, another tax. */

type Change = z.output<typeof changeSettingDetails>;

/** Reads the value of a setting that counts now: the stored one, or its default. */
async function findCounted(db: DbOrTx, key: MoneySettingKey): Promise<string> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return effectiveValue(key, row?.value);
}

/** Takes no lock: a change of settings locks the owner before the setting, so the setting is compared again by `act`. */
async function requireChange(tx: Tx, _ctx: ActorContext, change: Change): Promise<void> {
  if (!takesTwoOwners(change.key, change)) throw new AppError("conflict", texts.notTwo);
  if ((await findCounted(tx, change.key)) !== change.from) throw new AppError("conflict", texts.changedMeanwhile);
}

export const changeSettingKind = secondPersonKind({
  schema: changeSettingDetails,
  needsProof: true,
  subjectOf: ({ key }) => key,
  describe: async (db, { key, from, to }) => ({
    title: changeSettingTitle(key, from, to),
    consequences: [moneySettingWords[key].effect(settingValueText(key, to)), "Every owner is emailed."],
    isPossible: (await findCounted(db, key)) === from,
    projectId: null,
  }),
  require: requireChange,
  act: async (tx, ctx, { details, requestId, reason }) => {
    const [asked] = await tx
      .select({ name: users.fullName })
      .from(secondPersonRequests)
      .innerJoin(users, eq(users.id, secondPersonRequests.requestedBy))
      .where(eq(secondPersonRequests.id, requestId));
    await writeConfirmed(tx, ctx, details, { askedBy: asked?.name ?? "", audit: { requestId, reason } });
  },
});

/** The account that backers pay to: one owner asks for other bank details, and another confirms them. */

type BankChange = z.output<typeof changeBankDetailsDetails>;

const isSame = (one: BankDetails, other: BankDetails): boolean =>
  one.bankName === other.bankName && one.accountName === other.accountName && one.accountNumber === other.accountNumber;

async function describeBankDetails(db: DbOrTx, { seen, ...details }: BankChange) {
  const current = await findBankDetails(db);
  const parts = [
    ["Bank", seen.bankName, details.bankName],
    ["Account name", seen.accountName, details.accountName],
    ["Account number", seen.accountNumber, details.accountNumber],
  ] as const;
  return {
    title: bankDetailsTexts.title,
    consequences: [
      ...parts.map(([name, before, after]) =>
        before === after ? `${name}: ${after}, as it is now.` : `${name}: ${before} → ${after}.`,
      ),
      "Backers transfer to it from the confirmation on, and every owner gets an email.",
    ],
    isPossible: current !== null && isSame(current, seen),
    projectId: null,
  };
}

async function requireAsSeen(tx: Tx, { seen, ...details }: BankChange): Promise<void> {
  await lockOwnAccounts(tx);
  const current = await findBankDetails(tx);
  if (!current) throw new AppError("conflict", bankDetailsTexts.unset);
  if (!isSame(current, seen)) throw new AppError("conflict", texts.changedMeanwhile);
  if (isSame(current, details)) throw new AppError("conflict", texts.nothingToSave);
}

/** The kind of request by which two owners change the bank details. */
export const changeBankDetailsKind = secondPersonKind({
  schema: changeBankDetailsDetails,
  needsProof: true,
  subjectOf: () => "bank_details",
  describe: describeBankDetails,
  require: async (tx, _ctx, details) => requireAsSeen(tx, details),
  act: async (tx, ctx, { details }) => {
    await requireAsSeen(tx, details);
    await showBankDetails(tx, ctx, details);
    await keepAccountInStep(tx, ctx).catch(refuseTakenAccount);
    const { bankCode } = details;
    if (bankCode === undefined) return;
    const [active] = await tx.select().from(ownAccounts).where(eq(ownAccounts.isActive, true));
    if (active) await changeOwnAccountRow(tx, ctx, active, { ...active, bankCode });
  },
});
