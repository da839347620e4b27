import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import { type DatabaseHandle, rows, type Tx } from "#server/db/open.ts";

/** Live events: changes announced to every process through the database (LISTEN and NOTIFY). They are not stored. */

const liveEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("notifications"), userIds: z.array(z.string()) }),
  z.object({ type: z.literal("messages"), projectId: z.number(), to: z.string().optional() }),
  z.object({ type: z.literal("harvests"), projectId: z.number(), to: z.string() }),
  z.object({ type: z.literal("public") }),
  z.object({ type: z.literal("site") }),
]);
/**
 * "notifications": these users have new or changed notifications. "messages": this project has new or changed messages,
 * for everybody who reads them, for "administrators", or also for one backer, named by id. "harvests": harvests of this
 * project changed, for "everybody" with a part, for "administrators", or also for one backer, named by id. "public":
 * projects or settings changed. "site": the operator's profile changed. Database triggers announce the last three.
 */
export type LiveEvent = z.output<typeof liveEvent>;

/** "missed": the connection to the database was lost for a while, so events may have been lost. */
type HeardEvent = LiveEvent | { type: "missed" };

export type Events = {
  /** Reaches every process, including this one, when the transaction commits. */
  publish(tx: Tx, event: LiveEvent): Promise<void>;
  /** Returns the function that unsubscribes. */
  subscribe(listener: (event: HeardEvent) => void): () => void;
};

const channel = "gona_events";
/** A payload must stay under 8,000 bytes, and an id with its quotes and comma has 39. */
const idsPerPayload = 180;

/** Listens on its own connection, which reconnects when it breaks and closes with the database's handle. */
export async function openEvents(
  handle: DatabaseHandle,
  { log }: { log: Pick<FastifyBaseLogger, "warn" | "error"> },
): Promise<Events> {
  const listeners = new Set<(event: HeardEvent) => void>();
  const emit = (event: HeardEvent) => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error({ err: error }, "a listener to live events failed");
      }
    }
  };
  const hear = (payload: string) => {
    const event = liveEvent.safeParse(parseJson(payload));
    // Another version of the product may run beside this one and send other events.
    if (event.success) emit(event.data);
    else log.warn({ payload }, "a live event that this version doesn't know");
  };

  if (handle.kind === "embedded") {
    await handle.client.listen(channel, hear);
  } else {
    let hasListened = false;
    await handle.client.listen(channel, hear, () => {
      if (hasListened) {
        log.warn("the connection for live events was lost and is back");
        emit({ type: "missed" });
      }
      hasListened = true;
    });
  }

  return {
    async publish(tx, event) {
      const payloads = payloadsOf(event);
      if (payloads.length === 0) return;
      const list = JSON.stringify(payloads);
      await rows(tx, sql`select pg_notify(${channel}, payload) from json_array_elements_text(${list}::json) payload`);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function payloadsOf(event: LiveEvent): string[] {
  if (event.type !== "notifications") return [JSON.stringify(event)];
  const { userIds } = event;
  return Array.from({ length: Math.ceil(userIds.length / idsPerPayload) }, (_, part) =>
    JSON.stringify({ ...event, userIds: userIds.slice(part * idsPerPayload, (part + 1) * idsPerPayload) }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
