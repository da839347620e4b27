import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ActorContext, createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { discardUpload } from "#server/core/discard-upload.ts";
import { AppError, httpStatusOf } from "#server/core/errors.ts";
import { escapeHtml } from "#server/core/html.ts";
import { limitRate } from "#server/core/rate-limit.ts";
import { requireActor, requirePermission } from "#server/core/trpc.ts";
import { framedPlayerPolicy } from "#server/http/security.ts";
import { sendFile } from "#server/http/send-file.ts";
import { prepareUploadScope, receiveUpload } from "#server/http/uploads.ts";
import { errorTexts } from "#shared/errors.ts";
import { uploadPhotoFields, uploadVideoFields } from "#shared/media.ts";
import { projectTexts } from "#shared/project-texts.ts";
import { findHlsStream, findVideoFile } from "./queries.ts";
import { keyOfVideoName } from "./rules.ts";
import { addPhoto, addVideo } from "./service.ts";

const startingText = "Starting the livestream…";
const mediaId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/**
 * GET /livestream/{media id}: the page that plays an HLS stream, within a frame of ours. GET /files/videos/{name}: a
 * video of a gallery, for everyone. POST /uploads/project-photos and /uploads/project-videos: one file each.
 */
export async function registerMediaRoutes(
  app: FastifyInstance,
  deps: Deps,
  { distDir }: { distDir: string },
): Promise<void> {
  await registerUploads(app, deps);
  registerVideos(app, deps);
  const file = join(distDir, "livestream.html");
  const template = existsSync(file) ? await readFile(file, "utf8") : undefined;
  app.get<{ Params: { mediaId: string } }>("/livestream/:mediaId", async (request, reply) => {
    if (template === undefined) {
      return reply
        .code(503)
        .type("text/plain; charset=utf-8")
        .send("The client isn't built yet: run `npm run build`.\n");
    }
    try {
      const { source, label } = await findStream(deps, request, reply);
      return sendPlayer(reply, template, { source, label: label || "Livestream", status: startingText });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The frame says why nothing plays, in the place of the picture.
      reply.code(httpStatusOf[error.reason]);
      return sendPlayer(reply, template, { source: "", label: "", status: error.message });
    }
  });
}

async function registerUploads(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    await prepareUploadScope(scope, deps.env);
    scope.post("/uploads/project-photos", async (request, reply) => {
      const ctx = await uploaderContext(deps, request, reply);
      await limitRate(ctx, `project-photos:${ctx.actor.id}`, { hits: 300, windowSeconds: 600 });
      const { fields, ...upload } = await receiveUpload(request, { kind: "photo", storage: ctx.storage });
      const given = await parseFields(ctx, uploadPhotoFields, fields, upload.key);
      return reply.header("cache-control", "no-store").send(await addPhoto(ctx, { ...given, upload }));
    });
    scope.post("/uploads/project-videos", async (request, reply) => {
      const ctx = await uploaderContext(deps, request, reply);
      await limitRate(ctx, `project-videos:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
      const { fields, ...upload } = await receiveUpload(request, { kind: "video", storage: ctx.storage });
      const given = await parseFields(ctx, uploadVideoFields, fields, upload.key);
      return reply.header("cache-control", "no-store").send(await addVideo(ctx, { ...given, upload }));
    });
  });
}

/** The caller is known before a byte of the body is read. */
async function uploaderContext(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<ActorContext> {
  const ctx = await createContext(deps, request, reply);
  return { ...ctx, actor: requirePermission(ctx, "projects:edit") };
}

/** Throws "invalid" with the fields' texts; the uploaded file is gone then. */
async function parseFields<Values extends object>(
  house: Pick<Deps, "log" | "storage">,
  schema: z.ZodType<Values>,
  fields: Record<string, string>,
  key: string,
): Promise<Values> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  await discardUpload(house, key);
  throw new AppError("invalid", errorTexts.invalidInput, {
    fields: z.flattenError<object>(parsed.error).fieldErrors as Record<string, string[]>,
  });
}

/** Videos answer range requests, so that a browser can jump about in them; a name never changes its content. */
function registerVideos(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>("/files/videos/:name", async ({ params }, reply) => {
    const key = keyOfVideoName(params.name);
    if (!key) throw new AppError("not_found", "File not found");
    const file = await findVideoFile(deps, key);
    return sendFile(reply, { ...file, storage: deps.storage, disposition: "inline", cache: "public" });
  });
}

async function findStream(deps: Deps, request: FastifyRequest<{ Params: { mediaId: string } }>, reply: FastifyReply) {
  const ctx = await createContext(deps, request, reply);
  const actor = requireActor(ctx);
  const id = mediaId.safeParse(request.params.mediaId);
  if (!id.success) throw new AppError("not_found", projectTexts.backedNotFound);
  return findHlsStream({ ...ctx, actor }, id.data);
}

type Shown = { source: string; label: string; status: string };

function sendPlayer(reply: FastifyReply, template: string, { source, label, status }: Shown): FastifyReply {
  reply.headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-frame-options": "SAMEORIGIN",
    "content-security-policy": framedPlayerPolicy(source && new URL(source).origin),
  });
  const values = { __SOURCE__: source, __LABEL__: label, __STATUS__: status };
  return reply.send(
    Object.entries(values).reduce((html, [name, value]) => html.replace(name, () => escapeHtml(value)), template),
  );
}
