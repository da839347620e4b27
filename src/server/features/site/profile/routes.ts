import type { FastifyInstance } from "fastify";
import { drawLetter, findMarkKey, storeMark } from "#server/files/marks.ts";
import { sendFile } from "#server/files/send-file.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { errorTexts } from "#shared/errors.ts";
import { markSizes } from "#shared/site/site.ts";

/** POST /uploads/mark: a mark. The look names it when it is saved. */
export function registerMarkUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/mark", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "settings:manage");
    await limitRate(ctx, `marks:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    const upload = await receiveUpload(request, { kind: "mark", storage: ctx.storage });
    return reply.header("cache-control", "no-store").send(await storeMark(ctx, upload));
  });
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** GET /files/marks/{mark}/{size}.png: a stored mark, or the letter that stands in for one. For everybody, and for ever. */
export function registerMarks(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { mark: string; file: string } }>("/files/marks/:mark/:file", async ({ params }, reply) => {
    const { mark, file } = params;
    const size = markSizes.find((one) => file === `${one}.png`);
    if (size === undefined) throw notFound();
    if (uuid.test(mark)) {
      const key = await findMarkKey(deps, mark, size);
      if (key === null) throw notFound();
      const sent = {
        key,
        contentType: "image/png",
        originalName: file,
        disposition: "inline",
        cache: "public",
      } as const;
      return sendFile(reply, { ...sent, storage: deps.storage });
    }
    const site = deps.site.current();
    // Nobody has letters drawn that the site doesn't have.
    if (site.markPath !== `/files/marks/${mark}`) throw notFound();
    return reply
      .headers({ "cache-control": "public, max-age=31536000, immutable", "content-type": "image/png" })
      .send(await drawLetter(site, size));
  });
}

const notFound = () => new AppError("not_found", errorTexts.notFound);
