import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { changeSettingDetails } from "#shared/settings.ts";
import {
  changeSettingTitle,
  countedValue,
  type MoneySettingKey,
  moneySettingWords,
  settingValueText,
  takesTwoOwners,
  settingTexts as texts,
} from "#shared/settings-texts.ts";
import { writeConfirmed } from "./service.ts";

/** What takes two people about settings: the limits and rates below, and the bank details in a file of their own. */
export { changeBankDetailsKind } from "./bank-details-change.ts";

/** What takes two people about settings: a raised limit of what one owner does alone, another fee, another tax. */

type Change = z.output<typeof changeSettingDetails>;

/** What counts of a setting now. */
async function findCounted(db: DbOrTx, key: MoneySettingKey): Promise<string> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return countedValue(key, row?.value);
}

/** Takes no lock: a change of settings locks the owner before the setting, so the setting is compared again by `act`. */
async function requireChange(tx: Tx, _ctx: ActorContext, change: Change): Promise<void> {
  if (!takesTwoOwners(change.key, change)) throw new AppError("conflict", texts.notTwo);
  if ((await findCounted(tx, change.key)) !== change.from) throw new AppError("conflict", texts.changedMeanwhile);
}

export const changeSettingKind = {
  subjectOf: ({ key }: Change): string => key,
  describe: async (db: DbOrTx, { key, from, to }: Change) => ({
    title: changeSettingTitle(key, from, to),
    consequences: [moneySettingWords[key].effect(settingValueText(key, to)), "Every owner is emailed."],
    isPossible: (await findCounted(db, key)) === from,
    projectId: null,
  }),
  require: requireChange,
  act: async (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: Change; requestId: number; reason: string },
  ): Promise<void> => {
    const [asked] = await tx
      .select({ name: users.fullName })
      .from(secondPersonRequests)
      .innerJoin(users, eq(users.id, secondPersonRequests.requestedBy))
      .where(eq(secondPersonRequests.id, requestId));
    await writeConfirmed(tx, ctx, details, { askedBy: asked?.name ?? "", audit: { requestId, reason } });
  },
};
