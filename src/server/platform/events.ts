import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import { type DatabaseHandle, rows, type Tx } from "#server/db/open.ts";

/** Live events: what changed, told to every process through the database (LISTEN and NOTIFY). Nothing is kept of them. */

const liveEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("notifications"), userIds: z.array(z.string()) }),
  z.object({ type: z.literal("messages"), projectId: z.number() }),
  z.object({ type: z.literal("public") }),
]);
/**
 * "notifications": these people have new or changed ones. "messages": so has this project. "public": projects or
 * settings changed; the database says so by itself, by triggers.
 */
export type LiveEvent = z.output<typeof liveEvent>;

/** "missed": the connection to the database was lost for a while, and with it whatever was said meanwhile. */
type HeardEvent = LiveEvent | { type: "missed" };

export type Events = {
  /** Heard by every process, this one too, if and when the transaction commits. */
  publish(tx: Tx, event: LiveEvent): Promise<void>;
  /** Gives the function that stops it. */
  subscribe(listener: (event: HeardEvent) => void): () => void;
};

const channel = "gona_events";
/** A payload has less than 8,000 bytes, an id with its quotes and comma 39. */
const idsPerPayload = 180;

/** Listens on a connection of its own, which is opened again when it breaks; it ends with the database's handle. */
export async function openEvents(
  handle: DatabaseHandle,
  { log }: { log: Pick<FastifyBaseLogger, "warn" | "error"> },
): Promise<Events> {
  const listeners = new Set<(event: HeardEvent) => void>();
  const tell = (event: HeardEvent) => {
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
    // Another version of the product may run beside this one.
    if (event.success) tell(event.data);
    else log.warn({ payload }, "a live event that this version doesn't know");
  };

  if (handle.kind === "embedded") {
    await handle.client.listen(channel, hear);
  } else {
    let hasListened = false;
    await handle.client.listen(channel, hear, () => {
      if (hasListened) {
        log.warn("the connection for live events was lost and is back");
        tell({ type: "missed" });
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
