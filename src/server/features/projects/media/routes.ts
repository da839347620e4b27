import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendFile } from "#server/files/send-file.ts";
import { parseUploadFields, receiveUpload } from "#server/files/uploads.ts";
import { framedPlayerPolicy } from "#server/platform/content-policy.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, httpStatusOf } from "#server/platform/errors.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { escapeHtml } from "#server/platform/text.ts";
import { rowIdField } from "#shared/ids.ts";
import { uploadPhotoFields, uploadVideoFields } from "#shared/projects/media.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import { findHlsStream, findVideoFile } from "./queries.ts";
import { keyOfVideoName } from "./rules.ts";
import { addPhoto, addVideo } from "./service.ts";

const startingText = "Starting the livestream…";

/**
 * GET /livestream/{media id}: the page that plays an HLS stream inside an iframe of our pages. GET
 * /files/videos/{name}: a gallery video, for everyone.
 */
export async function registerMediaRoutes(
  app: FastifyInstance,
  deps: Deps,
  { distDir }: { distDir: string },
): Promise<void> {
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
      // The frame shows the reason in place of the picture.
      reply.code(httpStatusOf[error.reason]);
      return sendPlayer(reply, template, { source: "", label: "", status: error.message });
    }
  });
}

/** POST /uploads/project-photos and /uploads/project-videos, with one file each. */
export function registerMediaUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/project-photos", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "projects:edit");
    await limitRate(ctx, `project-photos:${ctx.actor.id}`, { hits: 300, windowSeconds: 600 });
    const { fields, ...upload } = await receiveUpload(request, { kind: "photo", storage: ctx.storage });
    const given = await parseUploadFields(ctx, uploadPhotoFields, { fields, key: upload.key });
    return reply.header("cache-control", "no-store").send(await addPhoto(ctx, { ...given, upload }));
  });
  scope.post("/uploads/project-videos", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "projects:edit");
    await limitRate(ctx, `project-videos:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    const { fields, ...upload } = await receiveUpload(request, { kind: "video", storage: ctx.storage });
    const given = await parseUploadFields(ctx, uploadVideoFields, { fields, key: upload.key });
    return reply.header("cache-control", "no-store").send(await addVideo(ctx, { ...given, upload }));
  });
}

/** Videos support range requests, so that a browser can seek. The content of a name never changes. */
function registerVideos(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>("/files/videos/:name", async ({ params }, reply) => {
    const key = keyOfVideoName(params.name);
    if (!key) throw new AppError("not_found", "File not found");
    const file = await findVideoFile(deps, key);
    return sendFile(reply, { ...file, storage: deps.storage, disposition: "inline", cache: "public" });
  });
}

async function findStream(deps: Deps, request: FastifyRequest<{ Params: { mediaId: string } }>, reply: FastifyReply) {
  const ctx = await createActorContext(deps, request, reply);
  const id = rowIdField.safeParse(request.params.mediaId);
  if (!id.success) throw new AppError("not_found", projectTexts.backedNotFound);
  return findHlsStream(ctx, id.data);
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
