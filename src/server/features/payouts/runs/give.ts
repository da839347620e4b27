import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { payoutRuns } from "#server/db/schema/payouts.ts";
import { notifySent } from "#server/features/payouts/notices.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import type { runIdInput } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { lockRunLines } from "./lines.ts";
import { factsOf, lockRun } from "./run-rows.ts";

/**
 * An owner says that the bank has the file of an exported run, once: whom it pays is told that money is on its way,
 * except where the bank has shown already what became of it. Throws "conflict" before the export, and if nobody has
 * downloaded a file.
 */
export async function giveRun(ctx: ActorContext, { runId }: z.output<typeof runIdInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const lines = await lockRunLines(tx, runId);
    const run = await lockRun(tx, runId);
    if (run.exportedAt === null) throw new AppError("conflict", texts.notToGive);
    if (run.givenAt !== null) return;
    const isOfRun = sql`${auditLogs.details}->>'runId' = ${String(runId)}`;
    const downloads = await tx.$count(auditLogs, and(eq(auditLogs.actionType, "download_payout_file"), isOfRun));
    if (downloads === 0) throw new AppError("conflict", texts.notDownloaded);
    const givenAt = ctx.clock.now();
    await tx.update(payoutRuns).set({ givenBy: ctx.actor.id, givenAt }).where(eq(payoutRuns.id, runId));
    await recordAudit(tx, ctx, "give_payout_run", factsOf(run));
    const onWay = lines.flatMap(({ payout }) => (payout.state === "sent" ? [payout] : []));
    await notifySent(tx, ctx, onWay);
  });
}
