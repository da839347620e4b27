import type { FastifyInstance } from "fastify";
import { keepDocument } from "#server/files/documents.ts";
import { sendByLink } from "#server/files/send-file.ts";
import { requireShowable } from "#server/files/showable.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { findPaper, paperPath } from "./queries.ts";

/** POST /uploads/holder-papers: a photo or a PDF that proves a change of holder, which a request names within the hour. */
export function registerHolderPaperUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/holder-papers", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "payments:process");
    await limitRate(ctx, `holder-papers:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    const { fields: _, ...file } = await receiveUpload(request, { kind: "evidence", storage: ctx.storage });
    await requireShowable(ctx, file);
    return reply.header("cache-control", "no-store").send({ fileId: await keepDocument(ctx, file) });
  });
}

/** GET /files/holder-papers/{fileId}: for owners, by a link of their session. */
export function registerHolderPapers(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { fileId: string } }>("/files/holder-papers/:fileId", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "payments:process");
    const { fileId: id } = request.params;
    return sendByLink(ctx, reply, {
      id,
      path: paperPath(id),
      find: () => findPaper(ctx, id),
      disposition: "inline",
      texts: { gone: texts.fileGone, expired: texts.linkExpired },
    });
  });
}
