import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { LiveMessage } from "#shared/live.ts";

/** The owner of a stream, and what it may receive. */
export type Listener = {
  userId: string;
  sessionIdHash: string;
  /** The client's network, as {@link networkOf} names it. */
  network: string;
  /** The projects whose messages it receives; null for all. */
  projectIds: readonly number[] | null;
};

/** The limit of a person's open streams; the next one replaces the oldest. */
const MAX_STREAMS_PER_USER = 20;
/** A browser with more unsent data is cut off; it will open a new stream. */
const MAX_UNSENT_BYTES = 64 * 1024;
/** Heartbeats are spread over the interval. */
const SLOTS = 30;

type Stream = { listener: Listener; raw: ServerResponse; slot: number };

export type LiveStreams = {
  add(listener: Listener, raw: ServerResponse): void;
  /** Sends to every stream whose listener `fits`. */
  send(message: LiveMessage, fits: (listener: Listener) => boolean): void;
  sendTo(userId: string, message: LiveMessage): void;
  /** Those of the given people who have a stream in this process, without duplicates. */
  present(userIds: readonly string[]): string[];
  /** The number of open streams from a network. */
  countOf(network: string): number;
  setProjects(userId: string, projectIds: readonly number[] | null): void;
  /** Ends all streams, and any that is added later. */
  close(): void;
};

/**
 * The open streams of this process. Before each heartbeat `findListeners` gets the listeners whose turn it is and
 * returns the current state of those whose session is valid. The others' streams are closed.
 */
export function openLiveStreams(options: {
  heartbeatMs: number;
  findListeners: (current: Listener[]) => Promise<Map<string, Listener>>;
  log: Pick<FastifyBaseLogger, "error">;
}): LiveStreams {
  const { heartbeatMs, findListeners, log } = options;
  const slots = Array.from({ length: SLOTS }, () => new Set<Stream>());
  const byUser = new Map<string, Set<Stream>>();
  const byNetwork = new Map<string, number>();
  let turn = 0;
  let isClosed = false;

  const countOf = (network: string) => byNetwork.get(network) ?? 0;
  const remove = (stream: Stream) => {
    if (!slots[stream.slot]?.delete(stream)) return;
    const others = countOf(stream.listener.network) - 1;
    if (others > 0) byNetwork.set(stream.listener.network, others);
    else byNetwork.delete(stream.listener.network);
    const own = byUser.get(stream.listener.userId);
    own?.delete(stream);
    if (own?.size === 0) byUser.delete(stream.listener.userId);
  };
  const end = (stream: Stream) => {
    remove(stream);
    if (stream.raw.destroyed) return;
    stream.raw.end();
    // A kept-alive connection would delay the process's exit.
    stream.raw.socket?.destroySoon();
  };
  const write = (stream: Stream, message: LiveMessage) => {
    if (stream.raw.destroyed || stream.raw.writableEnded) return;
    if (stream.raw.writableLength > MAX_UNSENT_BYTES) stream.raw.destroy();
    else stream.raw.write(`data: ${JSON.stringify(message)}\n\n`);
  };
  const dismiss = (stream: Stream, message: LiveMessage) => {
    write(stream, message);
    end(stream);
  };

  const beat = async (streams: Stream[]) => {
    const found = await findListeners(streams.map(({ listener }) => listener)).catch((error: unknown) => {
      // Streams carry no secrets, so they stay open until the database responds again.
      log.error({ err: error }, "the sessions of live streams could not be read");
      return null;
    });
    for (const stream of streams) {
      const now = found ? found.get(stream.listener.sessionIdHash) : stream.listener;
      if (now) {
        // Tabs of one session may use several networks, so each keeps its own.
        stream.listener = { ...now, network: stream.listener.network };
        write(stream, { type: "heartbeat" });
      } else {
        dismiss(stream, { type: "ended" });
      }
    }
  };
  const timer = setInterval(() => {
    turn = (turn + 1) % SLOTS;
    const due = [...(slots[turn] ?? [])];
    if (due.length > 0) void beat(due);
  }, heartbeatMs / SLOTS);

  return {
    add(listener, raw) {
      const stream = { listener, raw, slot: turn };
      if (isClosed || raw.destroyed) return end(stream);
      raw.on("close", () => remove(stream));
      const own = byUser.get(listener.userId) ?? new Set();
      byUser.set(listener.userId, own.add(stream));
      slots[turn]?.add(stream);
      byNetwork.set(listener.network, countOf(listener.network) + 1);
      write(stream, { type: "heartbeat" });
      const [oldest] = own;
      if (own.size > MAX_STREAMS_PER_USER && oldest) dismiss(oldest, { type: "replaced" });
    },
    send(message, fits) {
      for (const streams of byUser.values()) {
        for (const stream of streams) if (fits(stream.listener)) write(stream, message);
      }
    },
    sendTo(userId, message) {
      for (const stream of byUser.get(userId) ?? []) write(stream, message);
    },
    present: (userIds) => [...new Set(userIds)].filter((userId) => byUser.has(userId)),
    countOf,
    setProjects(userId, projectIds) {
      for (const stream of byUser.get(userId) ?? []) {
        if (stream.listener.projectIds !== null) stream.listener = { ...stream.listener, projectIds };
      }
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      for (const streams of byUser.values()) for (const stream of streams) end(stream);
    },
  };
}
