import { and, asc, eq, gt, sql } from "drizzle-orm";
import { listSessionsOf } from "#server/accounts/sessions.ts";
import { projectBackings, projectFavorites, projects } from "#server/db/schema/projects.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { knownDevices } from "#server/db/schema/sessions.ts";
import { agreedTexts, consents } from "#server/db/schema/site.ts";
import { nameDevice } from "#shared/accounts/device-name.ts";
import { batch, inBatches, naira, type Read } from "./batches.ts";

/** Sessions, devices, agreements, favorites, saved searches and backings of the person. */
export const accountLists: Record<string, Read> = {
  sessions: async (ctx, userId) => {
    const found = await listSessionsOf(ctx, userId);
    const items = found.map(({ device, ipAddress, kind, createdAt, lastActivityAt, expiresAt }) => ({
      device: nameDevice(device),
      browser: device,
      ipAddress,
      kind,
      createdAt,
      lastActivityAt,
      expiresAt,
    }));
    return { items, next: null };
  },
  devices: async ({ db }, userId) => {
    const found = await db
      .select({ browser: knownDevices.label, firstSeenAt: knownDevices.createdAt, lastSeenAt: knownDevices.lastSeenAt })
      .from(knownDevices)
      .where(eq(knownDevices.userId, userId));
    return { items: found.map((device) => ({ device: nameDevice(device.browser), ...device })), next: null };
  },
  agreements: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: consents.id,
        kind: consents.kind,
        page: agreedTexts.page,
        version: agreedTexts.version,
        textSha256: consents.textSha256,
        agreedAt: consents.createdAt,
      })
      .from(consents)
      .innerJoin(agreedTexts, eq(agreedTexts.sha256, consents.textSha256))
      .where(and(eq(consents.userId, userId), gt(consents.id, after)))
      .orderBy(asc(consents.id))
      .limit(batch),
  ),
  favorites: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: projectFavorites.projectId,
        projectId: projectFavorites.projectId,
        project: projects.title,
        since: projectFavorites.createdAt,
      })
      .from(projectFavorites)
      .innerJoin(projects, eq(projects.id, projectFavorites.projectId))
      .where(and(eq(projectFavorites.userId, userId), gt(projectFavorites.projectId, after)))
      .orderBy(asc(projectFavorites.projectId))
      .limit(batch),
  ),
  savedSearches: inBatches(({ db }, userId, after) =>
    db
      .select({
        key: savedSearches.id,
        name: savedSearches.name,
        filters: savedSearches.filters,
        since: savedSearches.createdAt,
        toldUntil: savedSearches.toldUntil,
        stoppedAt: savedSearches.stoppedAt,
      })
      .from(savedSearches)
      .where(and(eq(savedSearches.userId, userId), gt(savedSearches.id, after)))
      .orderBy(asc(savedSearches.id))
      .limit(batch),
  ),
  backings: inBatches(
    ({ db }, userId, after) =>
      db
        .select({
          key: projectBackings.id,
          projectId: projectBackings.projectId,
          project: projects.title,
          since: projectBackings.createdAt,
          weights: sql<{ round: number; kobo: string; reason: string }[]>`(
            select coalesce(jsonb_agg(jsonb_build_object('round', w.round, 'kobo', w.weight_kobo::text, 'reason', w.reason)
              order by w.round), '[]') from backing_weights w where w.backing_id = ${projectBackings.id})`,
        })
        .from(projectBackings)
        .innerJoin(projects, eq(projects.id, projectBackings.projectId))
        .where(and(eq(projectBackings.userId, userId), gt(projectBackings.id, after)))
        .orderBy(asc(projectBackings.id))
        .limit(batch),
    (_, found) =>
      found.map(({ weights, ...backing }) => ({
        ...backing,
        weights: weights.map(({ kobo, ...weight }) => ({ ...weight, weight: naira(BigInt(kobo)) })),
      })),
  ),
};
