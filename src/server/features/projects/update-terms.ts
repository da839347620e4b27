import type { z } from "zod";
import { inTransaction } from "#server/db/open.ts";
import { endLapsedHolds } from "#server/features/projects/holds/service.ts";
import { findTerms } from "#server/features/projects/rounds/queries.ts";
import { insertTerms, lockProject, lockRound, setTermsVersion } from "#server/features/projects/rounds/service.ts";
import { changesBetween, recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { termsOf, type updateTermsInput } from "#shared/projects/terms.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { findRoundLock } from "./queries.ts";

/**
 * Saves the terms of the project's current round as a new version. Throws "not_found", or "conflict" if somebody saved
 * others since the form was filled, or the round is locked.
 */
export async function updateTerms(ctx: ActorContext, input: z.output<typeof updateTermsInput>): Promise<void> {
  const { projectId, seenVersion, ...form } = input;
  const terms = termsOf(form);
  await inTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, projectId);
    const key = { projectId, round: project.round };
    const round = await lockRound(tx, key);
    if (round.termsVersion !== seenVersion) throw new AppError("conflict", termsTexts.changed);
    await endLapsedHolds(tx, ctx, { project, round });
    const frozenBy = await findRoundLock(tx, round, ctx.clock.now());
    if (frozenBy) throw new AppError("conflict", termsTexts.frozen[frozenBy]);
    const { version: _, ...before } = await findTerms(tx, key, seenVersion);
    const version = seenVersion + 1;
    await insertTerms(tx, key, { terms, version, writtenBy: ctx.actor.id, at: ctx.clock.now() });
    await setTermsVersion(tx, key, version);
    await recordAudit(tx, ctx, "edit_terms", {
      projectId,
      title: project.title,
      round: project.round,
      version,
      ...changesBetween(before, terms),
    });
  });
}
