import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { AppError, httpStatusOf } from "#server/core/errors.ts";
import { escapeHtml } from "#server/core/html.ts";
import { requireActor } from "#server/core/trpc.ts";
import { framedPlayerPolicy } from "#server/http/security.ts";
import { projectTexts } from "#shared/project-texts.ts";
import { findHlsStream } from "./queries.ts";

const startingText = "Starting the livestream…";
const mediaId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** GET /livestream/{media id}: the page that plays an HLS stream, within a frame of ours. */
export async function registerMediaRoutes(
  app: FastifyInstance,
  deps: Deps,
  { distDir }: { distDir: string },
): Promise<void> {
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
