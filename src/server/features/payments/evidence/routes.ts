import type { FastifyInstance } from "fastify";
import { keepDocument } from "#server/files/documents.ts";
import { sendByLink } from "#server/files/send-file.ts";
import { requireShowable } from "#server/files/showable.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { paymentEvidenceTexts as texts } from "#shared/payments/evidence.ts";
import { evidencePath, findEvidence } from "./queries.ts";

/**
 * POST /uploads/payment-evidence: a photo or a PDF that proves something about a payment, which a request names within
 * the hour.
 */
export function registerPaymentEvidenceUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/payment-evidence", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "payments:process");
    await limitRate(ctx, `payment-evidence:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    const { fields: _, ...file } = await receiveUpload(request, { kind: "evidence", storage: ctx.storage });
    await requireShowable(ctx, file);
    return reply.header("cache-control", "no-store").send({ fileId: await keepDocument(ctx, file) });
  });
}

/** GET /files/payment-evidence/{fileId}: for whoever may view payments, by a link of their session. */
export function registerPaymentEvidence(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { fileId: string } }>("/files/payment-evidence/:fileId", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "payments:view");
    const { fileId: id } = request.params;
    return sendByLink(ctx, reply, {
      id,
      path: evidencePath(id),
      find: () => findEvidence(ctx, id),
      disposition: "inline",
      texts: { gone: texts.fileGone, expired: texts.linkExpired },
    });
  });
}
