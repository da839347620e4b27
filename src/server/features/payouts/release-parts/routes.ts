import type { FastifyInstance } from "fastify";
import { sendFile } from "#server/files/send-file.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { listFarmsWithRight } from "#server/platform/farm-rights.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { rowIdField } from "#shared/ids.ts";
import { releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { findReadableProof, storeProof } from "./proofs.ts";

/**
 * POST /uploads/release-proofs: a photo or a PDF of an administrator or a farm's keeper, which an ask names within the
 * hour.
 */
export function registerProofUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/release-proofs", async (request, reply) => {
    const any = await createActorContext(deps, request, reply);
    const isKeeper = (await listFarmsWithRight(any, "keep")).length > 0;
    const ctx = isKeeper ? any : await createActorContext(deps, request, reply, "harvests:manage");
    await limitRate(ctx, `release-proofs:${ctx.actor.id}`, { hits: 120, windowSeconds: 600 });
    const { fields: _, ...upload } = await receiveUpload(request, { kind: "evidence", storage: ctx.storage });
    return reply.header("cache-control", "no-store").send(await storeProof(ctx, upload));
  });
}

/** GET /files/release-proofs/{id}: a document, for its round's backers, its farm's keepers and administrators. */
export function registerProofFiles(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { id: string } }>("/files/release-proofs/:id", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply);
    const id = rowIdField.safeParse(request.params.id);
    const keptFarmIds = (await listFarmsWithRight(ctx, "keep")).map(({ farmId }) => farmId);
    const isAdministrator = ctx.actor.permissions.includes("harvests:view");
    const file = id.success
      ? await findReadableProof(ctx.db, { proofId: id.data, userId: ctx.actor.id, isAdministrator, keptFarmIds })
      : undefined;
    if (!file) throw new AppError("not_found", texts.gone);
    return sendFile(reply, { ...file, storage: deps.storage, disposition: "inline" });
  });
}
