import { eq } from "drizzle-orm";
import type { z } from "zod";
import { actAsSecondOwner, endOfAsking, lockOwners } from "#server/accounts/owners/second-owner.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { notify, notifyOwners } from "#server/features/notifications/service.ts";
import { payeeOf, promiseFor } from "#server/features/payouts/payees/service.ts";
import { lockStruckPayouts, takeOutStruckPayouts } from "#server/features/payouts/strikes.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireProof } from "#server/platform/procedures.ts";
import type { approveRunInput, voidRunInput } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { runApprovedNotice, runDecidedNotice } from "./emails.ts";
import { lockRunLines, refuseUnpayable } from "./lines.ts";
import { factsOf, lockRun, type Run } from "./run-rows.ts";

/**
 * Payment runs: one owner puts payouts together, another approves, then the files go to the bank (export.ts). Locks:
 * payouts by id, payee accounts, owners, the run.
 */

/**
 * Approves another owner's run, or as the only owner one's own, with the proof of the account, a code and a written reason.
 * Throws "forbidden" for whoever made it beside other owners, and "conflict" if it doesn't wait for approval any more or has
 * waited for seven days, its maker is no owner any more, or an account of it was changed since.
 */
export async function approveRun(
  ctx: ActorContext,
  { runId, reason, ...proof }: z.output<typeof approveRunInput>,
): Promise<void> {
  const [made] = await ctx.db.select().from(payoutRuns).where(eq(payoutRuns.id, runId));
  if (!made) throw new AppError("not_found", texts.gone);
  // Whoever is alone gives the proof with the approval.
  if (made.madeBy !== ctx.actor.id) requireProof(ctx);
  await actAsSecondOwner(ctx, {
    madeBy: made.madeBy,
    proof,
    lockSubject: async (tx) => {
      const lines = await lockRunLines(tx, runId);
      const run = await lockRun(tx, runId);
      if (run.madeBy !== ctx.actor.id && lines.some(({ payout }) => payout.userId === ctx.actor.id)) {
        throw new AppError("forbidden", texts.ownMoney);
      }
      if (run.state !== "draft") throw new AppError("conflict", texts.notDraft);
      if (ctx.clock.now() >= endOfAsking(run.createdAt)) throw new AppError("conflict", texts.waitedTooLong);
      await refuseUnpayable(tx, lines, ctx.clock.now());
    },
    act: async (tx, { owners, isAlone }) => {
      if (!owners.includes(made.madeBy)) throw new AppError("conflict", texts.makerGone);
      if (isAlone && reason === undefined) {
        throw new AppError("invalid", texts.needsReason, { fields: { reason: [texts.needsReason] } });
      }
      const aloneReason = isAlone ? (reason ?? null) : null;
      const approved = { state: "approved" as const, approvedBy: ctx.actor.id, approvedAt: ctx.clock.now() };
      await tx
        .update(payoutRuns)
        .set({ ...approved, aloneReason })
        .where(eq(payoutRuns.id, runId));
      await recordAudit(tx, ctx, "approve_payout_run", {
        ...factsOf(made),
        madeBy: made.madeBy,
        isAlone,
        ...(isAlone && { reason }),
      });
      await notifyMaker(tx, ctx, made, "approved");
      await notifyOwnersOfApproval(tx, ctx, made, aloneReason);
    },
  });
}

/** Tells whoever made a run what another owner decided on it. */
async function notifyMaker(tx: Tx, ctx: ActorContext, run: Run, decision: "approved" | "void"): Promise<void> {
  if (run.madeBy === ctx.actor.id) return;
  await notify(tx, ctx, {
    ...runDecidedNotice({ site: ctx.site.current(), by: ctx.actor.fullName, run, decision }),
    userIds: [run.madeBy],
    kind: "second_person",
    projectId: null,
    aboutUserId: ctx.actor.id,
    eventKey: `payout_run:${run.id}:${decision}`,
  });
}

/** Tells every owner but its maker that a run was approved; a maker who is alone too. */
async function notifyOwnersOfApproval(tx: Tx, ctx: ActorContext, run: Run, aloneReason: string | null): Promise<void> {
  await notifyOwners(tx, ctx, {
    ...runApprovedNotice({ site: ctx.site.current(), by: ctx.actor.fullName, run, aloneReason }),
    but: aloneReason === null ? run.madeBy : null,
    projectId: null,
    eventKey: `payout_run:${run.id}:owners_of_approval`,
  });
}

/**
 * Declares a run void that didn't go to the bank: its payouts are due again, as they were promised. One whose account
 * was changed since is promised anew, or waits for an account; what a strike ended since isn't due. Throws "conflict"
 * after the export.
 */
export async function voidRun(ctx: ActorContext, { runId, reason }: z.output<typeof voidRunInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const lines = await lockRunLines(tx, runId);
    const struck = await lockStruckPayouts(
      tx,
      lines.map(({ payout }) => payout),
    );
    const anew = [];
    for (const { payout, account } of lines) {
      if (account.replacedAt === null) continue;
      anew.push({ payoutId: payout.id, promise: await promiseFor(tx, payeeOf(payout), now) });
    }
    const run = await lockRun(tx, runId);
    await lockOwners(tx, ctx, "share");
    if (run.state === "void") throw new AppError("conflict", texts.isVoid);
    if (run.state !== "draft" && run.state !== "approved") throw new AppError("conflict", texts.isExported);
    await tx.update(payouts).set({ state: "due", runId: null }).where(eq(payouts.runId, runId));
    for (const { payoutId, promise } of anew) {
      await tx.update(payouts).set(promise).where(eq(payouts.id, payoutId));
    }
    await tx
      .update(payoutRuns)
      .set({ state: "void", voidedBy: ctx.actor.id, voidedAt: now, voidReason: reason })
      .where(eq(payoutRuns.id, runId));
    await recordAudit(tx, ctx, "void_payout_run", { ...factsOf(run), before: run.state, reason });
    await takeOutStruckPayouts(tx, ctx, struck);
    await notifyMaker(tx, ctx, run, "void");
  });
}
