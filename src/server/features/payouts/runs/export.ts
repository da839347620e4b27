import { isDeepStrictEqual } from "node:util";
import { and, asc, eq } from "drizzle-orm";
import type { z } from "zod";
import { lockOwners } from "#server/accounts/owners/second-owner.ts";
import { postPayouts } from "#server/books/events/payouts.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { payoutFiles, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { notifyOwners } from "#server/features/notifications/service.ts";
import { makeRunSheet } from "#server/features/papers/service.ts";
import { findPayoutColumns } from "#server/features/settings/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { fixedPayoutColumns, type PayoutProfile } from "#shared/payouts/columns.ts";
import type { exportRunInput } from "#shared/payouts/inputs.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import type { PayoutFileFormat } from "#shared/payouts/texts.ts";
import { runExportedNotice, runLayoutNotice } from "./emails.ts";
import { writeFiles } from "./files.ts";
import { lockRunLines, refuseUnpayable } from "./lines.ts";
import { factsOf, fileLine, lockRun, type Run } from "./run-rows.ts";

/** The step after which money is on its way: a run's files are made, and its payouts count as sent. */

type MadeFile = { format: PayoutFileFormat; sha256: string };

/**
 * Makes the files of an approved run, once: its payouts are sent, the ledger has them in transit, and the files are
 * stored, all in one transaction. Whom it pays is told once the bank has a file: {@link giveRun}. Again it gives the
 * files that were made. Throws "conflict" if the run isn't approved, or an account of it was changed since.
 */
export async function exportRun(
  ctx: ActorContext,
  { runId, profile }: z.output<typeof exportRunInput>,
): Promise<{ files: MadeFile[] }> {
  return inTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const lines = await lockRunLines(tx, runId);
    const run = await lockRun(tx, runId);
    await lockOwners(tx, ctx, "share");
    if (run.state === "exported" || run.state === "closed") return { files: await listFiles(tx, runId) };
    if (run.state === "void") throw new AppError("conflict", texts.isVoid);
    if (run.state !== "approved") throw new AppError("conflict", texts.notApproved);
    await refuseUnpayable(tx, lines, now);
    const columns = await columnsOf(tx, profile);
    const files = await writeFiles(lines.map(fileLine), columns);
    await tx
      .update(payoutRuns)
      .set({ state: "exported", exportedBy: ctx.actor.id, exportedAt: now })
      .where(eq(payoutRuns.id, runId));
    await tx.insert(payoutFiles).values(files.map((file) => ({ ...file, runId, columns, createdAt: now })));
    await tx.update(payouts).set({ state: "sent", sentAt: now }).where(eq(payouts.runId, runId));
    const payoutIds = lines.map(({ payout }) => payout.id);
    await postPayouts(tx, "payout_sent", { payoutIds, actorId: ctx.actor.id, at: now });
    await recordAudit(tx, ctx, "export_payout_run", {
      ...factsOf(run),
      profile,
      files: files.map(({ format, sha256 }) => ({ format, sha256 })),
    });
    const [sheet] = await makeRunSheet(tx, runId, now);
    await notifyOwnersOfExport(tx, ctx, run, sheet?.number);
    return { files: files.map(({ format, sha256 }) => ({ format, sha256 })) };
  });
}

/** Tells the other owners that a run went to the bank, with the number of its sheet. */
async function notifyOwnersOfExport(tx: Tx, ctx: ActorContext, run: Run, sheet: string | undefined): Promise<void> {
  await notifyOwners(tx, ctx, {
    ...runExportedNotice({ site: ctx.site.current(), by: ctx.actor.fullName, run, sheet }),
    but: ctx.actor.id,
    projectId: null,
    eventKey: `payout_run:${run.id}:exported`,
  });
}

async function columnsOf(tx: Tx, profile: PayoutProfile) {
  if (profile !== "own") return fixedPayoutColumns[profile];
  const columns = await findPayoutColumns(tx);
  if (!columns) throw new AppError("conflict", texts.noOwnColumns);
  return columns;
}

/** The files that the export made, which others in other layouts may follow. */
const listFiles = (tx: Tx, runId: number): Promise<MadeFile[]> =>
  tx
    .select({ format: payoutFiles.format, sha256: payoutFiles.sha256 })
    .from(payoutFiles)
    .where(and(eq(payoutFiles.runId, runId), eq(payoutFiles.layout, 1)))
    .orderBy(asc(payoutFiles.format));

/**
 * Writes the lines of an exported run in other columns, where the bank wants them so, and keeps and hashes those files
 * too. It moves no money, and the other owners are told. Columns that a file of it has already give that one. Throws
 * "conflict" unless all of the run is on its way: who was paid, or is due again, would be paid twice by it.
 */
export async function addRunLayout(
  ctx: ActorContext,
  { runId, profile }: z.output<typeof exportRunInput>,
): Promise<{ layout: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const createdAt = ctx.clock.now();
    const lines = await lockRunLines(tx, runId);
    const run = await lockRun(tx, runId);
    await lockOwners(tx, ctx, "share");
    if (run.exportedAt === null) throw new AppError("conflict", texts.notForLayout);
    if (lines.some(({ payout }) => payout.state !== "sent")) throw new AppError("conflict", texts.layoutTooLate);
    const columns = await columnsOf(tx, profile);
    const made = await tx
      .select({ layout: payoutFiles.layout, columns: payoutFiles.columns })
      .from(payoutFiles)
      .where(eq(payoutFiles.runId, runId));
    const same = made.find((file) => isDeepStrictEqual(file.columns, columns));
    if (same) return { layout: same.layout };
    const layout = Math.max(...made.map((file) => file.layout)) + 1;
    const files = await writeFiles(lines.map(fileLine), columns);
    await tx.insert(payoutFiles).values(files.map((file) => ({ ...file, runId, layout, columns, createdAt })));
    await recordAudit(tx, ctx, "add_run_layout", {
      ...factsOf(run),
      profile,
      layout,
      files: files.map(({ format, sha256 }) => ({ format, sha256 })),
    });
    await notifyOwners(tx, ctx, {
      ...runLayoutNotice({ site: ctx.site.current(), by: ctx.actor.fullName, run }),
      but: ctx.actor.id,
      projectId: null,
      eventKey: `payout_run:${runId}:layout:${layout}`,
    });
    return { layout };
  });
}

/** The stored bytes of a run's file; audited with their hash. Throws "not_found" before the export. */
export async function readPayoutFile(
  ctx: ActorContext,
  { runId, format, layout }: { runId: number; format: PayoutFileFormat; layout: number },
): Promise<{ bytes: Buffer; sha256: string }> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await tx.select().from(payoutFiles).where(eq(payoutFiles.runId, runId));
    const file = found.find((one) => one.format === format && one.layout === layout);
    if (!file) throw new AppError("not_found", texts.noFile);
    await recordAudit(tx, ctx, "download_payout_file", { runId, format, layout, sha256: file.sha256 });
    return { bytes: file.bytes, sha256: file.sha256 };
  });
}
