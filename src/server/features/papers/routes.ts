import type { FastifyInstance } from "fastify";
import { sendFile } from "#server/files/send-file.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { paperIdText } from "#shared/papers/inputs.ts";
import { paperPath, paperTexts } from "#shared/papers/texts.ts";
import { findPaperFile } from "./file.ts";

/** GET /files/papers/{id}: the PDF, for its person and for whoever may view payments. */
export function registerPaperFiles(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { id: string } }>(paperPath(":id"), async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply);
    const id = paperIdText.safeParse(request.params.id);
    if (!id.success) throw new AppError("not_found", paperTexts.gone);
    // Making a PDF takes the processor for a moment.
    await limitRate(ctx, `papers:${ctx.actor.id}`, { hits: 120, windowSeconds: 600 });
    const file = await findPaperFile(ctx, id.data);
    return sendFile(reply, { ...file, storage: deps.storage, disposition: "attachment" });
  });
}
