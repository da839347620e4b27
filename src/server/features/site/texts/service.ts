import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { lockUser } from "#server/accounts/users.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { sitePages } from "#server/db/schema/site.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import { fillIn, readPageValues, readShipped } from "#server/platform/page-texts.ts";
import { sanitizePageText } from "#server/platform/rich-text.ts";
import { startOfDay } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { adoptPageInput, savePageInput } from "#shared/site/page-inputs.ts";
import { pageTextLimits as limits, pageTextTexts as texts } from "#shared/site/page-texts.ts";
import { variableFault } from "#shared/site/page-variables.ts";
import type { OwnPage } from "#shared/site/pages.ts";
import { linesOf } from "./changed-lines.ts";
import { pageTextMail } from "./emails.ts";
import { layOut } from "./layout.ts";
import { findNewest } from "./queries.ts";

/** Writes a version of one of the operator's texts. Throws "conflict" if a newer one exists than the caller saw. */
export async function savePage(ctx: ActorContext, input: z.output<typeof savePageInput>): Promise<{ version: number }> {
  const { page, seenVersion, isMaterial, changeNote } = input;
  const html = checkedHtml(page, input.html);
  const inForceFrom = startOf(input.inForceOn, ctx.clock.now());
  return writeVersion(ctx, {
    action: "save_page_text",
    seenVersion,
    row: { page, html, isMaterial, changeNote: changeNote || null, inForceFrom },
  });
}

/**
 * Writes the text that the software brings as the operator's own, in force from now on. Throws "conflict" as {@link
 * savePage} does.
 */
export async function adoptPage(
  ctx: ActorContext,
  { page, seenVersion }: z.output<typeof adoptPageInput>,
): Promise<{ version: number }> {
  const html = await readShipped(page);
  return writeVersion(ctx, {
    action: "adopt_page_text",
    seenVersion,
    row: { page, html, isMaterial: false, changeNote: null, inForceFrom: ctx.clock.now() },
  });
}

/** A text as its page will show it, before it is saved. Throws what {@link savePage} throws about its words. */
export async function previewPage({ db }: Pick<Context, "db">, input: { page: OwnPage; html: string }) {
  return layOut(fillIn(checkedHtml(input.page, input.html), await readPageValues(db)));
}

function checkedHtml(page: OwnPage, given: string): string {
  const html = sanitizePageText(given);
  if (linesOf(html).length === 0) throw fieldRefusal("html", texts.missing);
  if (html.length > limits.html) throw fieldRefusal("html", texts.tooLong);
  const fault = variableFault(page, html);
  if (fault !== null) throw fieldRefusal("html", fault);
  return html;
}

function startOf(day: string | null, now: Date): Date {
  if (day === null) return now;
  const from = startOfDay(day);
  if (from <= now) throw fieldRefusal("inForceOn", texts.dayPassed);
  if (from.getTime() - now.getTime() > limits.daysAhead * dayMs) throw fieldRefusal("inForceOn", texts.dayFar);
  return from;
}

type NewVersion = Pick<typeof sitePages.$inferInsert, "page" | "html" | "isMaterial" | "inForceFrom"> & {
  changeNote: string | null;
};

async function writeVersion(
  ctx: ActorContext,
  { action, seenVersion, row }: { action: "save_page_text" | "adopt_page_text"; seenVersion: number; row: NewVersion },
): Promise<{ version: number }> {
  const version = seenVersion + 1;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      await lockUser(tx, ctx.actor.id);
      // A loss of rights meanwhile has ended the session.
      await requireSession(tx, ctx.actor);
      const before = await findNewest(tx, row.page);
      if ((before?.version ?? 0) !== seenVersion) throw new AppError("conflict", texts.changedMeanwhile);
      const isSame = before?.html === row.html && before.inForceFrom.getTime() === row.inForceFrom.getTime();
      const isInForce = before !== null && before.inForceFrom <= ctx.clock.now();
      if (isSame || (before?.html === row.html && isInForce)) throw new AppError("conflict", texts.unchanged);
      const at = ctx.clock.now();
      await tx.insert(sitePages).values({ ...row, version, writtenBy: ctx.actor.id, createdAt: at });
      const { page, isMaterial, changeNote, inForceFrom } = row;
      await recordAudit(tx, ctx, action, {
        page,
        before: seenVersion,
        after: version,
        isMaterial,
        changeNote,
        inForceFrom: inForceFrom.toISOString(),
      });
      await mailOwnersOfText(tx, ctx, { ...row, version, before: before?.html ?? (await readShipped(page)) });
      return { version };
    });
  } catch (error) {
    // Two owners saved at once.
    if (isUniqueViolation(error, "site_pages_page_version_pk")) {
      throw new AppError("conflict", texts.changedMeanwhile, { cause: error });
    }
    throw error;
  }
}

async function mailOwnersOfText(
  tx: Tx,
  ctx: ActorContext,
  { before, ...after }: NewVersion & { version: number; before: string },
): Promise<void> {
  const eventKey = `page_text:${randomUUID()}`;
  const site = ctx.site.current();
  await mailOwners(tx, ctx, {
    eventKey,
    isUrgent: true,
    write: ({ fullName }) => pageTextMail({ fullName, site, changedBy: ctx.actor, before, after, at: ctx.clock.now() }),
  });
}
