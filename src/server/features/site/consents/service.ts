import type { z } from "zod";
import { findOpenChange, recordConsentTo } from "#server/accounts/consents.ts";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { inTransaction } from "#server/db/open.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { agreedTextHash, keepText, readPageText, readPageVersion } from "#server/platform/page-texts.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import type { agreeToChangeInput } from "#shared/site/consents.ts";

/**
 * Keeps that the caller agrees to a change of the terms, which may be announced only. Agreeing again changes nothing. Throws
 * "conflict" if the words aren't those of the version any more, or the version is neither in force nor to come.
 */
export async function agreeToChange(ctx: ActorContext, input: z.output<typeof agreeToChangeInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireOpenAccount(tx, ctx.actor);
    const change = await findOpenChange(tx, ctx, ctx.actor.id);
    const inForce = await readPageText({ db: tx, clock: ctx.clock }, "terms");
    const wanted = await readPageVersion(tx, "terms", input.version);
    const isAsked = input.version === change?.version || input.version >= inForce.version;
    if (!wanted || !isAsked || agreedTextHash(wanted) !== input.sha256) {
      throw new AppError("conflict", consentTexts.changedMeanwhile);
    }
    const textSha256 = await keepText(tx, ctx, wanted);
    await recordConsentTo(tx, ctx, { userId: ctx.actor.id, kind: "change", textSha256 });
  });
}
