import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendByLink } from "#server/files/send-file.ts";
import { requireShowable } from "#server/files/showable.ts";
import { parseUploadFields, receiveUpload } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { submitReceiptFields } from "#shared/payments/inputs.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { findReceiptFile, receiptPath, submitReceipt } from "./receipts.ts";

/** POST /uploads/receipts. */
export function registerReceiptUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/receipts", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply);
    await limitRate(ctx, `receipts:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    return reply.header("cache-control", "no-store").send(await receiveReceipt(ctx, request));
  });
}

/** GET /files/receipts/{id}. */
export function registerReceiptRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { receiptId: string } }>("/files/receipts/:receiptId", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply);
    const { receiptId: id } = request.params;
    return sendByLink(ctx, reply, {
      id,
      path: receiptPath(id),
      find: () => findReceiptFile(ctx, id),
      disposition: "inline",
      texts: { gone: paymentTexts.receiptUnavailable, expired: paymentTexts.linkExpired },
    });
  });
}

async function receiveReceipt(ctx: ActorContext, request: FastifyRequest) {
  const { fields, ...file } = await receiveUpload(request, { kind: "receipt", storage: ctx.storage });
  const given = await parseUploadFields(ctx, submitReceiptFields, { fields, key: file.key });
  await requireShowable(ctx, file);
  const { amountKobo, ...receipt } = await submitReceipt(ctx, { ...given, file });
  // JSON has no bigint.
  return { ...receipt, amountKobo: amountKobo.toString() };
}
