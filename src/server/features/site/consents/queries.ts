import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import { findOpenChange } from "#server/accounts/consents.ts";
import { inTransaction } from "#server/db/open.ts";
import { agreedTexts, consents } from "#server/db/schema/site.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { agreedTextHash, readPageVersion } from "#server/platform/page-texts.ts";
import type { userIdInput } from "#shared/people/inputs.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import type { agreedTextInput } from "#shared/site/consents.ts";

/** The change that the caller is asked about, with the words that they would agree to; null if there is none. */
export async function readOpenChange(ctx: ActorContext) {
  if (ctx.actor.isAdmin) return null;
  return inTransaction(ctx.db, async (tx) => {
    const change = await findOpenChange(tx, ctx, ctx.actor.id);
    const text = change && (await readPageVersion(tx, change.page, change.version));
    return text && { ...change, html: text.html, sha256: agreedTextHash(text) };
  });
}

export const listOwnAgreements = (ctx: ActorContext) => listAgreements(ctx, { userId: ctx.actor.id });

/** The most that are shown. One is kept for each text and occasion, however often somebody buys. */
const most = 200;

/** Lists a person's agreements, newest first. */
export function listAgreements(ctx: ActorContext, { userId }: z.output<typeof userIdInput>) {
  return ctx.db
    .select({
      id: consents.id,
      kind: consents.kind,
      page: agreedTexts.page,
      version: agreedTexts.version,
      sha256: agreedTexts.sha256,
      agreedAt: consents.createdAt,
    })
    .from(consents)
    .innerJoin(agreedTexts, eq(agreedTexts.sha256, consents.textSha256))
    .where(eq(consents.userId, userId))
    .orderBy(desc(consents.id))
    .limit(most);
}

/**
 * A text word for word as it was agreed to, for whoever agreed to it and for whoever may see payments or people. Throws
 * "not_found" for everybody else.
 */
export async function readAgreedText(ctx: ActorContext, { sha256 }: z.output<typeof agreedTextInput>) {
  const { permissions, id } = ctx.actor;
  const [text] = await ctx.db
    .select({ page: agreedTexts.page, version: agreedTexts.version, html: agreedTexts.html })
    .from(agreedTexts)
    .where(eq(agreedTexts.sha256, sha256));
  const isOwn = and(eq(consents.userId, id), eq(consents.textSha256, sha256));
  const mayRead =
    permissions.includes("payments:view") ||
    permissions.includes("users:manage") ||
    (await ctx.db.$count(consents, isOwn)) > 0;
  if (!text || !mayRead) throw new AppError("not_found", consentTexts.notFound);
  return text;
}
