import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { projects } from "#server/db/schema/projects.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { refusalOf } from "#server/platform/errors.ts";
import type { skipPartDetails } from "#shared/payouts/release-parts.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { findPart } from "./queries.ts";
import { lockSkippable, skipPart } from "./service.ts";

type Details = z.output<typeof skipPartDetails>;

/** A part of a round's money is left out, or asked for after all. */
export const skipPartKind = {
  subjectOf: ({ projectId, round, part }: Details): string => `${projectId}/${round}/${part}`,
  describe: async (db: DbOrTx, { isSkipped, ...key }: Details) => {
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
  require: async (tx: Tx, _ctx: ActorContext, details: Details) => void (await lockSkippable(tx, details)),
  act: (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: Details; requestId: number; reason: string },
  ): Promise<void> => skipPart(tx, ctx, { ...details, requestId, reason }),
};
