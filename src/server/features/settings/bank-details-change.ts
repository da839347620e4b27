import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { changeBankDetailsDetails } from "#shared/second-person.ts";
import { bankDetailsTexts as texts } from "#shared/second-person-texts.ts";
import { type BankDetails, settingTexts } from "#shared/settings-texts.ts";
import { findBankDetails } from "./queries.ts";
import {
  changeOwnAccountRow,
  keepAccountInStep,
  lockOwnAccounts,
  refuseTakenAccount,
  showBankDetails,
} from "./service.ts";

/** Where backers pay to: one owner asks for other bank details, and another confirms them. */

type Details = z.output<typeof changeBankDetailsDetails>;

const isSame = (one: BankDetails, other: BankDetails): boolean =>
  one.bankName === other.bankName && one.accountName === other.accountName && one.accountNumber === other.accountNumber;

async function describe(db: DbOrTx, { seen, ...details }: Details) {
  const current = await findBankDetails(db);
  const parts = [
    ["Bank", seen.bankName, details.bankName],
    ["Account name", seen.accountName, details.accountName],
    ["Account number", seen.accountNumber, details.accountNumber],
  ] as const;
  return {
    title: texts.title,
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

async function requireAsSeen(tx: Tx, { seen, ...details }: Details): Promise<void> {
  await lockOwnAccounts(tx);
  const current = await findBankDetails(tx);
  if (!current) throw new AppError("conflict", texts.unset);
  if (!isSame(current, seen)) throw new AppError("conflict", settingTexts.changedMeanwhile);
  if (isSame(current, details)) throw new AppError("conflict", settingTexts.nothingToSave);
}

/** What the second person confirms. */
export const changeBankDetailsKind = {
  subjectOf: (): string => "bank_details",
  describe,
  require: async (tx: Tx, _ctx: ActorContext, details: Details): Promise<void> => requireAsSeen(tx, details),
  act: async (tx: Tx, ctx: ActorContext, { details }: { details: Details }): Promise<void> => {
    await requireAsSeen(tx, details);
    await showBankDetails(tx, ctx, details);
    await keepAccountInStep(tx, ctx).catch(refuseTakenAccount);
    const { bankCode } = details;
    if (bankCode === undefined) return;
    const [active] = await tx.select().from(ownAccounts).where(eq(ownAccounts.isActive, true));
    if (active) await changeOwnAccountRow(tx, ctx, active, { ...active, bankCode });
  },
};
