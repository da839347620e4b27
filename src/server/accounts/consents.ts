import { and, asc, eq, max } from "drizzle-orm";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { agreedTexts, consents, sitePages } from "#server/db/schema/site.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { agreedText } from "#server/platform/page-texts.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import type { consentKinds, OwnPage } from "#shared/site/pages.ts";
import { openChangeOf, type TermsChange } from "#shared/site/terms-change.ts";

/**
 * People's agreements. Signing up agrees to the terms of service and to nothing else: the privacy policy only tells how
 * data is handled. Running the site is no agreement: the first owner and invited administrators give no consent, and
 * aren't asked when the terms change. When they buy, they tick the box as any buyer does.
 */

type Given = { userId: string; kind: (typeof consentKinds)[number]; page: OwnPage };

/** Keeps that a person agrees to the text in force, and gives its SHA-256. Agreeing again to the same text is one row. */
export async function keepConsent(tx: Tx, ctx: Pick<Deps, "clock">, { userId, kind, page }: Given): Promise<string> {
  const textSha256 = await agreedText(tx, ctx, page);
  await recordConsentTo(tx, ctx, { userId, kind, textSha256 });
  return textSha256;
}

/** The same for a text that is kept already. */
export async function recordConsentTo(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { userId, kind, textSha256 }: Omit<Given, "page"> & { textSha256: string },
): Promise<void> {
  await tx.insert(consents).values({ userId, kind, textSha256, createdAt: clock.now() }).onConflictDoNothing();
}

/**
 * The material change that a person is asked about; null if there is none. An account without a kept consent is older than
 * these rows, or was an administrator's: it counts as having agreed to the terms that the software brings.
 */
export async function findOpenChange(
  db: DbOrTx,
  { clock }: Pick<Deps, "clock">,
  userId: string,
): Promise<TermsChange | null> {
  const written = await db
    .select({
      page: sitePages.page,
      version: sitePages.version,
      isMaterial: sitePages.isMaterial,
      changeNote: sitePages.changeNote,
      inForceFrom: sitePages.inForceFrom,
    })
    .from(sitePages)
    .where(eq(sitePages.page, "terms"))
    .orderBy(asc(sitePages.version));
  if (!written.some(({ isMaterial }) => isMaterial)) return null;
  const [agreed] = await db
    .select({ version: max(agreedTexts.version) })
    .from(consents)
    .innerJoin(agreedTexts, eq(agreedTexts.sha256, consents.textSha256))
    .where(and(eq(consents.userId, userId), eq(agreedTexts.page, "terms")));
  return openChangeOf(written, agreed?.version ?? 0, clock.now());
}

/**
 * Makes sure that the caller may buy something new. Throws "conflict" while a material change of the terms is in force that
 * they haven't agreed to. Administrators aren't asked.
 */
export async function requireTermsAgreed(tx: Tx, ctx: ActorContext): Promise<void> {
  if (ctx.actor.isAdmin) return;
  const change = await findOpenChange(tx, ctx, ctx.actor.id);
  if (change?.isInForce) throw new AppError("conflict", consentTexts.agreeFirst);
}
