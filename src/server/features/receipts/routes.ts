import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ActorContext, createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { discardUpload } from "#server/core/discard-upload.ts";
import { AppError } from "#server/core/errors.ts";
import { requireShowable } from "#server/core/pictures.ts";
import { limitRate } from "#server/core/rate-limit.ts";
import { requireActor } from "#server/core/trpc.ts";
import { sendByLink } from "#server/http/send-by-link.ts";
import { prepareUploadScope, receiveUpload } from "#server/http/uploads.ts";
import { errorTexts } from "#shared/errors.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import { submitReceiptFields } from "#shared/payments.ts";
import { findReceiptFile, receiptPath } from "./queries.ts";
import { submitReceipt } from "./service.ts";

/** POST /uploads/receipts and GET /files/receipts/{id}. */
export async function registerReceiptRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    await prepareUploadScope(scope, deps.env);
    scope.post("/uploads/receipts", async (request, reply) => {
      const ctx = await actorContext(deps, request, reply);
      await limitRate(ctx, `receipts:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
      return reply.header("cache-control", "no-store").send(await receiveReceipt(ctx, request));
    });
  });
  app.get<{ Params: { receiptId: string } }>("/files/receipts/:receiptId", async (request, reply) => {
    const ctx = await actorContext(deps, request, reply);
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

/** The caller is known before a byte of the body is read. */
async function actorContext(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<ActorContext> {
  const ctx = await createContext(deps, request, reply);
  return { ...ctx, actor: requireActor(ctx) };
}

async function receiveReceipt(ctx: ActorContext, request: FastifyRequest) {
  const { fields, ...file } = await receiveUpload(request, { kind: "receipt", storage: ctx.storage });
  const parsed = submitReceiptFields.safeParse(fields);
  if (!parsed.success) {
    await discardUpload(ctx, file.key);
    throw new AppError("invalid", errorTexts.invalidInput, { fields: z.flattenError(parsed.error).fieldErrors });
  }
  if (file.contentType.startsWith("image/")) await requireShowableReceipt(ctx, file.key);
  const { amountKobo, ...receipt } = await submitReceipt(ctx, { ...parsed.data, file });
  // JSON has no bigint.
  return { ...receipt, amountKobo: amountKobo.toString() };
}

/** Receipts are kept as they came: one that would fill an administrator's memory, or shows nothing, is refused. */
async function requireShowableReceipt(ctx: ActorContext, key: string): Promise<void> {
  try {
    await requireShowable(ctx.storage, key);
  } catch (error) {
    await discardUpload(ctx, key);
    throw error;
  }
}
