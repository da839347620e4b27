import { eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { lockOwners } from "#server/accounts/owners/second-owner.ts";
import { inTransaction } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { payoutRunLines, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { notifyOwners } from "#server/features/notifications/service.ts";
import { isWithheldPayout, lockPayouts } from "#server/features/payouts/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { makeRunInput } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { runWaitsNotice } from "./emails.ts";
import { hashLines } from "./files.ts";
import { lockCurrentAccounts, refuseUnpayable } from "./lines.ts";
import { factsOf, fileLine } from "./run-rows.ts";

/**
 * Makes a run of payouts that are due, in the order of their ids, and tells the other owners. Throws "conflict" if one
 * isn't due any more, or its account can't be paid to now; then nothing is made.
 */
export async function makeRun(
  ctx: ActorContext,
  { payoutIds, ownAccountId }: z.output<typeof makeRunInput>,
): Promise<{ runId: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const chosen = await lockPayouts(tx, payoutIds);
    if (chosen.length !== payoutIds.length || chosen.some(({ state }) => state !== "due")) {
      throw new AppError("conflict", texts.notDue);
    }
    const withheld = chosen.find(isWithheldPayout);
    if (withheld) throw new AppError("conflict", texts.withheld(withheld.reference));
    const lines = await lockCurrentAccounts(tx, chosen);
    await refuseUnpayable(tx, lines, now);
    await lockOwners(tx, ctx, "share");
    const [from] = await tx.select().from(ownAccounts).where(eq(ownAccounts.id, ownAccountId));
    if (!from) throw new AppError("not_found", texts.ownAccountGone);
    const totalKobo = chosen.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
    const linesSha256 = hashLines(lines.map(fileLine));
    const made = { ownAccountId, payouts: chosen.length, totalKobo, linesSha256, madeBy: ctx.actor.id, createdAt: now };
    const [run] = await tx.insert(payoutRuns).values(made).returning();
    if (!run) throw new Error("the run was not written");
    const runId = run.id;
    await tx.insert(payoutRunLines).values(
      lines.map(({ payout, account }, index) => ({
        runId,
        position: index + 1,
        payoutId: payout.id,
        payeeAccountId: account.id,
      })),
    );
    await tx.update(payouts).set({ state: "in_run", runId }).where(inArray(payouts.id, payoutIds));
    await recordAudit(tx, ctx, "make_payout_run", { ...factsOf(run), ownAccount: from.accountNumber, payoutIds });
    await notifyOwners(tx, ctx, {
      ...runWaitsNotice({ site: ctx.site.current(), by: ctx.actor.fullName, run }),
      but: ctx.actor.id,
      projectId: null,
      eventKey: `payout_run:${runId}:made`,
    });
    return { runId };
  });
}
