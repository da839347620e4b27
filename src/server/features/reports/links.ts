import { randomBytes } from "node:crypto";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { hashToken } from "#server/accounts/sessions.ts";
import { inTransaction } from "#server/db/open.ts";
import { reportLinks } from "#server/db/schema/reports.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { requireFarmRight } from "#server/platform/farm-rights.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { makeReportLinkInput, reportLinkInput, reportRecordInput } from "#shared/reports/inputs.ts";
import { reportLimits, reportTexts as texts } from "#shared/reports/texts.ts";
import { isVouchedFor } from "./access.ts";

/**
 * Links by which somebody without an account reports for one project. A keeper or a manager makes them, and they end with
 * their maker's right.
 */

async function requireLinkMaker(ctx: ActorContext, projectId: number): Promise<void> {
  if (ctx.actor.permissions.includes("projects:edit")) return;
  await requireFarmRight(ctx, projectId, "keep");
}

/** Makes a link for seven days. It is shown once, because only its hash is kept. Throws "not_found" or "forbidden". */
export async function makeReportLink(ctx: ActorContext, { projectId, label }: z.output<typeof makeReportLinkInput>) {
  await requireLinkMaker(ctx, projectId);
  const token = randomBytes(24).toString("base64url");
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + reportLimits.linkDays * dayMs);
  await inTransaction(ctx.db, async (tx) => {
    const { title } = await lockProject(tx, projectId, "share");
    const made = { projectId, label, tokenHash: hashToken(token), madeBy: ctx.actor.id, expiresAt, createdAt: now };
    await tx.insert(reportLinks).values(made);
    await recordAudit(tx, ctx, "make_report_link", { projectId, title, label });
  });
  return { url: `${ctx.env.publicUrl}/report/${token}`, expiresAt };
}

/** The links of a project that still work, the newest first. Throws "forbidden". */
export async function listReportLinks(ctx: ActorContext, { projectId }: z.output<typeof reportRecordInput>) {
  await requireLinkMaker(ctx, projectId);
  const found = await ctx.db
    .select({
      id: reportLinks.id,
      label: reportLinks.label,
      madeBy: reportLinks.madeBy,
      createdAt: reportLinks.createdAt,
      expiresAt: reportLinks.expiresAt,
    })
    .from(reportLinks)
    .where(and(eq(reportLinks.projectId, projectId), isNull(reportLinks.revokedAt)))
    .orderBy(desc(reportLinks.id))
    .limit(reportLimits.links);
  const now = ctx.clock.now();
  const working = [];
  for (const { madeBy, ...link } of found)
    if (link.expiresAt > now && (await isVouchedFor(ctx, { projectId, madeBy }))) working.push(link);
  return working;
}

/** Ends a link at once. Throws "not_found" or "forbidden". */
export async function revokeReportLink(ctx: ActorContext, { linkId }: z.output<typeof reportLinkInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const [link] = await tx.select().from(reportLinks).where(eq(reportLinks.id, linkId)).for("no key update");
    if (!link) throw new AppError("not_found", texts.linkGone);
    await requireLinkMaker(ctx, link.projectId);
    if (link.revokedAt) return;
    await tx.update(reportLinks).set({ revokedAt: ctx.clock.now() }).where(eq(reportLinks.id, linkId));
    await recordAudit(tx, ctx, "revoke_report_link", { projectId: link.projectId, label: link.label });
  });
}
