import { eq } from "drizzle-orm";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { findInWords, subjectOf } from "#server/features/payments/second-person.ts";
import { refusalOf } from "#server/platform/errors.ts";
import { formatNaira } from "#shared/money.ts";
import { changeHolderDetails } from "#shared/payments/holder-changes.ts";
import { holderChangeCauseLabels, holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { describeMoves, readHeld, requireHeldPayment, requireNewHolder, requireNoneRunning } from "./queries.ts";
import { beginChange, type Change, requireChange } from "./service.ts";

/** A change of holder, as two owners say. */

async function describeOutcome(db: DbOrTx, change: Change) {
  try {
    const payment = await requireHeldPayment(db, change);
    await requireNewHolder(db, payment, change.toUserId);
    await requireNoneRunning(db, payment);
    const held = await readHeld(db, payment);
    return { isPossible: true, amountKobo: held.amountKobo, lines: describeMoves(held) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { isPossible: false, amountKobo: undefined, lines: [refusal.message] };
  }
}

export const changeHolderKind = secondPersonKind({
  schema: changeHolderDetails,
  needsProof: true,
  subjectOf,
  concerns: async (_db, { fromUserId, toUserId }) => [fromUserId, toUserId],
  describe: async (db, change) => {
    const payment = await findInWords(db, change.paymentId);
    const [from] = await db.select().from(users).where(eq(users.id, change.fromUserId));
    const [to] = await db.select().from(users).where(eq(users.id, change.toUserId));
    if (!payment || !from || !to) return null;
    const { isPossible, amountKobo, lines } = await describeOutcome(db, change);
    const fromName = from.closedAt === null ? from.fullName : "a closed account";
    return {
      title: texts.title(formatNaira(amountKobo ?? payment.amountKobo), payment.projectTitle, fromName, to.fullName),
      consequences: [
        `${holderChangeCauseLabels[change.cause]}.`,
        texts.from(fromName, from.closedAt === null ? from.email : ""),
        ...(from.isBlocked ? [texts.cannotObject(fromName)] : []),
        texts.to(to.fullName, to.email),
        ...lines,
        texts.wait,
        ...texts.effects,
      ],
      isPossible,
      projectId: payment.projectId,
      fileIds: change.fileIds,
    };
  },
  require: async (tx, ctx, change) => void (await requireChange(tx, ctx, change)),
  act: beginChange,
});
