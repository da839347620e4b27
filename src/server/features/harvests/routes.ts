import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { keepDocument } from "#server/files/documents.ts";
import { folderOfPhoto } from "#server/files/photo-files.ts";
import { storeEvidencePhoto } from "#server/files/photos.ts";
import { sendFile } from "#server/files/send-file.ts";
import { openPhotoSender } from "#server/files/send-photo.ts";
import { requireShowable } from "#server/files/showable.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { listFarmsWithRight } from "#server/platform/farm-rights.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { rowIdField } from "#shared/ids.ts";
import { findReadableFile } from "./queries.ts";

/**
 * POST /uploads/harvest-evidence: a photo or a PDF of an administrator or a farm's keeper, which a harvest, a cost or a sale
 * names within the hour. People see a photo re-encoded, and a document as uploaded.
 */
export function registerHarvestUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/harvest-evidence", async (request, reply) => {
    const ctx = await createEvidenceContext(deps, request, reply);
    await limitRate(ctx, `harvest-evidence:${ctx.actor.id}`, { hits: 300, windowSeconds: 600 });
    return reply.header("cache-control", "no-store").send(await receiveEvidence(ctx, request));
  });
}

/**
 * GET /files/harvests/{id} for a document, and /files/harvests/{id}/{width}.{format} for a photo: for who has a part in
 * it, for keepers of its farm, and for administrators.
 */
export function registerHarvestFiles(app: FastifyInstance, deps: Deps): void {
  const sendPhoto = openPhotoSender(deps);
  const findFile = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const ctx = await createActorContext(deps, request, reply);
    const { actor, db } = ctx;
    const id = rowIdField.safeParse(request.params.id);
    const mayView = actor.permissions.includes("harvests:view");
    const keptFarmIds = (await listFarmsWithRight(ctx, "keep")).map(({ farmId }) => farmId);
    const asked = id.success && { harvestFileId: id.data, userId: actor.id, mayView, keptFarmIds };
    const file = asked ? await findReadableFile(db, asked) : undefined;
    if (!file) throw new AppError("not_found", texts.fileGone);
    return file;
  };

  app.get<{ Params: { id: string } }>("/files/harvests/:id", async (request, reply) => {
    const file = await findFile(request, reply);
    if (folderOfPhoto(file.key)) throw new AppError("not_found", texts.fileGone);
    return sendFile(reply, { ...file, storage: deps.storage, disposition: "inline" });
  });
  app.get<{ Params: { id: string; file: string } }>("/files/harvests/:id/:file", async (request, reply) => {
    const folder = folderOfPhoto((await findFile(request, reply)).key);
    if (!folder) throw new AppError("not_found", texts.fileGone);
    const { id, file } = request.params;
    return sendPhoto(reply, `${folder}/${file}`, { name: `harvest-${id}-${file}`, cache: "private" });
  });
}

/** Throws "forbidden" for somebody who neither manages harvests nor keeps a farm. */
async function createEvidenceContext(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<ActorContext> {
  const ctx = await createActorContext(deps, request, reply);
  const isManager = ctx.actor.permissions.includes("harvests:manage");
  if (isManager || (await listFarmsWithRight(ctx, "keep")).length > 0) return ctx;
  return createActorContext(deps, request, reply, "harvests:manage");
}

async function receiveEvidence(ctx: ActorContext, request: FastifyRequest): Promise<{ fileId: string }> {
  const { fields: _, ...file } = await receiveUpload(request, { kind: "evidence", storage: ctx.storage });
  if (file.contentType.startsWith("image/")) return { fileId: await storeEvidencePhoto(ctx, file) };
  await requireShowable(ctx, file);
  return { fileId: await keepDocument(ctx, file) };
}
