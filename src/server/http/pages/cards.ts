import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findPublicFarm } from "#server/features/farm-pages/farm-page.ts";
import { findPublicProject } from "#server/features/projects/queries.ts";
import { readMark } from "#server/files/marks.ts";
import { keyOfPhotoPath } from "#server/files/photo-files.ts";
import { oneAtATime } from "#server/platform/async.ts";
import { openCache } from "#server/platform/cache.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError, isUnavailable } from "#server/platform/errors.ts";
import { etagOf, isKnown } from "#server/platform/etag.ts";
import { errorTexts } from "#shared/errors.ts";
import { readProjectId } from "#shared/projects/project-id.ts";
import { rolesOf } from "#shared/site/look.ts";
import type { Site } from "#shared/site/site.ts";
import { cardWords, farmCardWords, siteCardPath } from "./card-paths.ts";
import { type CardPlate, drawCard, drawSiteCard } from "./draw-card.ts";

type Card = { jpeg: Buffer; etag: string };

const KEPT_BYTES = 32 * 1024 * 1024;
/** Drawing takes 0.1 s of CPU time. Beyond this queue, requests get the site's card meanwhile. */
const MAX_WAITING = 20;
const SITE_ART = "/art/poster-card.svg";

/**
 * GET /cards/site.jpg, /cards/project/{id}.jpg and /cards/farm/{id}.jpg: the pictures of link previews. A project's
 * card shows the price of a lot on its picture if that is our own, a farm's its name on the picture of its newest
 * project. Foreign picture addresses are never fetched; such a project gets the site's card.
 */
export function registerCards(
  app: FastifyInstance,
  deps: Pick<Deps, "env" | "db" | "storage" | "site">,
  { distDir }: { distDir: string },
): void {
  const drawn = openCache<Card>({ maxBytes: KEPT_BYTES, bytesOf: ({ jpeg }) => jpeg.length });
  const inTurn = oneAtATime(60_000);

  /** `art` is a path on this site, checked by `ownArt`. */
  const readArt = async (art: string): Promise<Buffer> => {
    const key = keyOfPhotoPath(art);
    return key ? buffer(await deps.storage.read(key)) : readFile(join(distDir, art));
  };
  const readOwnMark = async () => (await readMark(deps, deps.site.current(), 192)) ?? readArt("/art/logo-mark.svg");
  const draw = (name: string, art: string, words?: Pick<CardPlate, "price" | "details">) =>
    drawn.get(name, () =>
      inTurn(async () => {
        const plate = words && { ...words, ink: inkOf(deps.site.current()), mark: await readOwnMark() };
        const jpeg = await drawCard(await readArt(art), plate);
        return { jpeg, etag: etagOf(jpeg) };
      }),
    );
  /** The demo's is drawn by hand; another operator's has their mark, name and tagline. */
  const siteCardOf = async () => {
    const site = deps.site.current();
    if (site.markPath === null) return draw(SITE_ART, SITE_ART);
    return drawn.get(`site ${site.version}`, () =>
      inTurn(async () => {
        const jpeg = await drawSiteCard({ ...site, ink: inkOf(site), mark: await readOwnMark() });
        return { jpeg, etag: etagOf(jpeg) };
      }),
    );
  };

  app.get(siteCardPath, async (request, reply) => sendCard(request, reply, await siteCardOf()));

  app.get<{ Params: { id: string } }>("/cards/project/:id.jpg", async (request, reply) => {
    const id = readProjectId(request.params.id);
    const project = id === null ? null : await findPublicProject(deps.db, id);
    if (!project || project === "hidden") throw new AppError("not_found", errorTexts.notFound);
    return sendDrawn(request, reply, project.imageUrl, cardWords(project));
  });

  app.get<{ Params: { id: string } }>("/cards/farm/:id.jpg", async (request, reply) => {
    const id = readProjectId(request.params.id);
    const farm = id === null ? null : await findPublicFarm(deps.db, id);
    if (!farm || farm === "hidden") throw new AppError("not_found", errorTexts.notFound);
    return sendDrawn(request, reply, farm.imageUrl, farmCardWords(farm));
  });

  /** The picture with these words on it; the site's card where that can't be drawn now. */
  async function sendDrawn(
    request: FastifyRequest,
    reply: FastifyReply,
    imageUrl: string,
    words: Pick<CardPlate, "price" | "details">,
  ): Promise<FastifyReply> {
    const art = ownArt(imageUrl, deps.env.publicUrl);
    if (art === null) return sendCard(request, reply, await siteCardOf());
    const { markPath, look } = deps.site.current();
    const name = `${JSON.stringify([words, markPath, look?.color])} ${art}`;
    const isBusy = !drawn.has(name) && inTurn.waiting() >= MAX_WAITING;
    if (isBusy) return sendCard(request, reply, await siteCardOf(), { maxAgeSeconds: 60 });
    try {
      return sendCard(request, reply, await draw(name, art, words));
    } catch (error) {
      request.log.warn({ err: error, art }, "no card of a picture");
      return sendCard(request, reply, await siteCardOf(), isUnavailable(error) ? { maxAgeSeconds: 60 } : {});
    }
  }
}

/** Returns the colour of the large letters on a card, derived from the operator's. */
const inkOf = ({ look }: Site): string => rolesOf(look)?.text.light ?? "#14532d";

/** The path of a project's picture if it is our drawing or a stored photo; null otherwise. */
function ownArt(imageUrl: string, publicUrl: string): string | null {
  const path = imageUrl.startsWith(`${publicUrl}/`) ? imageUrl.slice(publicUrl.length) : imageUrl;
  return /^\/(scenes|art)\/[a-z0-9-]+\.svg$/.test(path) || keyOfPhotoPath(path) ? path : null;
}

function sendCard(
  request: FastifyRequest,
  reply: FastifyReply,
  { jpeg, etag }: Card,
  { maxAgeSeconds = 3600 }: { maxAgeSeconds?: number } = {},
): FastifyReply {
  reply.headers({
    etag,
    "cache-control": `public, max-age=${maxAgeSeconds}`,
    // Other sites show previews on their pages.
    "cross-origin-resource-policy": "cross-origin",
  });
  if (isKnown(request, etag)) return reply.code(304).send();
  return reply.type("image/jpeg").send(jpeg);
}
