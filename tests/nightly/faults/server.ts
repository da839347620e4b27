/**
 * A server process of the fault run: the product's own parts, put together as its entry does it, on deps that kill the
 * process at a named point when the test says so, whose clock may be ahead, and that a seeded fault may have broken.
 */
import { buildApp } from "#server/app.ts";
import { jobHandlers } from "#server/job-handlers.ts";
import { openDeps } from "#server/open-deps.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";
import { openJobs } from "#server/platform/jobs.ts";
import { type FaultPoints, killAtPoints } from "./kill-points.ts";
import { seededFaults } from "./seeds.ts";

/** The test's settings, handed over in the variable GONA_FAULTS. */
export interface FaultSettings {
  /** The name of the seeded fault. */
  seeded: string | null;
  clockOffsetMs: number;
}

const { seeded, clockOffsetMs } = JSON.parse(process.env.GONA_FAULTS ?? "") as FaultSettings;

// Libraries ask for the time themselves: the whole process is ahead.
if (clockOffsetMs !== 0) {
  const now = Date.now.bind(Date);
  globalThis.Date = class extends Date {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [now() + clockOffsetMs] : given) as [number]));
    }
    static override now = () => now() + clockOffsetMs;
  } as DateConstructor;
}

const points: FaultPoints = { order: { point: null, skip: 0 } };
process.on("message", (order: FaultPoints["order"]) => {
  points.order = order;
});
// Without its test a server has no reason to live on.
process.on("disconnect", () => process.exit(1));
process.channel?.unref();

const { deps: opened, handle } = await openDeps(readEnv());
await opened.jobs.stop();
const deps: Deps = {
  ...opened,
  // Mails go without their pause, or a run would take a day.
  jobs: await openJobs(handle, { log: opened.log, mailPauseMs: 1 }),
};
killAtPoints(deps, points);
seededFaults.find(({ name }) => name === seeded)?.sow?.(deps);

const app = await buildApp(deps);
process.on("SIGTERM", async () => {
  await app.close();
  await deps.jobs.stop();
  process.exit(0);
});
await app.listen({ port: deps.env.port, host: deps.env.host });
await deps.jobs.start(jobHandlers(deps));
