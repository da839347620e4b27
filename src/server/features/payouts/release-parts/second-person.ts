import { eq } from "drizzle-orm";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refusalOf } from "#server/platform/errors.ts";
import { skipPartDetails } from "#shared/payouts/release-parts.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { findPart } from "./queries.ts";
import { lockSkippable, skipPart } from "./service.ts";

/** A part of a round's money is left out, or asked for after all. */
export const skipPartKind = secondPersonKind({
  schema: skipPartDetails,
  subjectOf: ({ projectId, round, part }) => `${projectId}/${round}/${part}`,
  describe: async (db, { isSkipped, ...key }) => {
    const [project] = await db.select({ title: projects.title }).from(projects).where(eq(projects.id, key.projectId));
    if (!project) return null;
    const part = await findPart(db, key).catch((error) => {
      if (refusalOf(error)) return null;
      throw error;
    });
    if (part === null) return null;
    return {
      title: (isSkipped ? texts.skipTitle : texts.unskipTitle)(key.part, part.label, project.title),
      consequences: [isSkipped ? texts.skipConsequence : texts.unskipConsequence],
      isPossible: isSkipped ? part.state === "planned" || part.state === "refused" : part.state === "skipped",
      projectId: key.projectId,
    };
  },
  require: async (tx, _ctx, details) => void (await lockSkippable(tx, details)),
  act: (tx, ctx, { details, requestId, reason }) => skipPart(tx, ctx, { ...details, requestId, reason }),
});
