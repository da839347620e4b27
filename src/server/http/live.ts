import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { findStandingSessions } from "#server/accounts/sessions.ts";
import { listBackedProjectIds } from "#server/features/projects/backings/queries.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { errorTexts } from "#shared/errors.ts";
import { livePath } from "#shared/live.ts";
import { type Listener, openLiveStreams } from "./live-streams.ts";

/** How often one session may open a stream. Its tabs in a browser without Web Locks all reconnect after a restart. */
const openingLimit = { hits: 120, windowSeconds: 60 };
/**
 * The limit of open streams per network and process. A mobile operator may put hundreds of people behind one address.
 */
export const STREAMS_PER_NETWORK = 1000;

/**
 * GET /events: server-sent events that tell a signed-in browser what changed: the person's notifications, and the
 * messages and harvests of the projects that they back, or of all projects with that permission. It never extends the
 * session.
 * Beyond a limit it responds 429: the page then polls and tries again later.
 */
export function registerLive(
  app: FastifyInstance,
  deps: Deps,
  { heartbeatMs, streamsPerNetwork }: { heartbeatMs: number; streamsPerNetwork: number },
): void {
  const { db, events, log } = deps;
  const streams = openLiveStreams({ heartbeatMs, findListeners: (current) => findListeners(deps, current), log });

  const sendNotifications = async (userIds: string[]) => {
    const present = streams.present(userIds);
    if (present.length === 0) return;
    // A notification may mean that a backing was added or removed.
    const backed = await listBackedProjectIds(db, present);
    for (const userId of present) {
      streams.setProjects(userId, backed.get(userId) ?? []);
      streams.sendTo(userId, { type: "notifications" });
    }
  };
  const stopListening = events.subscribe((event) => {
    if (event.type === "missed") streams.send(event, () => true);
    else if (event.type === "messages" || event.type === "harvests") {
      const { type, projectId, to = "everybody" } = event;
      streams.send({ type, projectId }, ({ projectIds, userId }) => {
        if (projectIds === null || userId === to) return true;
        return to === "everybody" && projectIds.includes(projectId);
      });
    } else if (event.type === "notifications") {
      sendNotifications(event.userIds).catch((error: unknown) => {
        log.error({ err: error }, "live notifications could not be told");
      });
    }
  });
  app.addHook("preClose", async () => {
    stopListening();
    streams.close();
  });

  app.get(livePath, { exposeHeadRoute: false }, async (request, reply) => {
    const { actor, ipAddress } = await createActorContext(deps, request, reply);
    await limitRate(deps, `events:${actor.session.idHash}`, openingLimit);
    const listener: Listener = {
      userId: actor.id,
      sessionIdHash: actor.session.idHash,
      network: networkOf(ipAddress),
      projectIds: actor.permissions.includes("projects:view")
        ? null
        : ((await listBackedProjectIds(db, [actor.id])).get(actor.id) ?? []),
    };
    if (streams.countOf(listener.network) >= streamsPerNetwork) {
      throw new AppError("rate_limited", errorTexts.rateLimited);
    }
    reply.type("text/event-stream; charset=utf-8").header("cache-control", "no-store");
    // Otherwise proxies buffer the small chunks.
    reply.header("x-accel-buffering", "no");
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    reply.raw.flushHeaders();
    streams.add(listener, reply.raw);
  });
}

/** The listeners whose session is still valid, by its hash, with the projects that they back now. */
async function findListeners(deps: Deps, current: Listener[]): Promise<Map<string, Listener>> {
  const standing = await findStandingSessions(
    deps,
    current.map(({ sessionIdHash }) => sessionIdHash),
  );
  const kept = current.filter(({ sessionIdHash }) => standing.has(sessionIdHash));
  const backers = kept.filter(({ projectIds }) => projectIds !== null).map(({ userId }) => userId);
  const backed = backers.length > 0 ? await listBackedProjectIds(deps.db, backers) : new Map<string, number[]>();
  return new Map(
    kept.map((listener) => [
      listener.sessionIdHash,
      listener.projectIds === null ? listener : { ...listener, projectIds: backed.get(listener.userId) ?? [] },
    ]),
  );
}
