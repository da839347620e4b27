import { refuseDemoAccounts, seedDemoOnce } from "#server/cli/demo.ts";
import type { DatabaseHandle } from "#server/db/open.ts";
import { announceSetup } from "#server/features/site/setup/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { mailTexts } from "#shared/dashboard/mail-texts.ts";
import { buildApp } from "./app.ts";
import { jobHandlers } from "./job-handlers.ts";
import type { openDeps } from "./open-deps.ts";

export interface Server {
  /** Listens, with the jobs at work. */
  start(): Promise<void>;
  /** Ends in order: what runs is finished first, and what was opened is closed last. */
  close(): Promise<void>;
}

/** The whole product on what `openDeps` opened, not yet listening: jobs and HTTP. */
export async function openServer(opened: Awaited<ReturnType<typeof openDeps>>): Promise<Server> {
  const { deps, handle } = opened;
  const { env } = deps;
  await refuseDemoAccounts(deps);
  const app = await buildApp(deps);
  const control = handle.kind === "embedded" ? await openControl(deps, handle) : undefined;
  let isClosing = false;
  return {
    async start() {
      if (env.isMailKept) deps.log.warn(`${mailTexts.staysHere} ${mailTexts.whatToDo}`);
      if (env.demo) await seedDemoOnce(deps);
      await announceSetup(deps);
      await app.listen({ port: env.port, host: env.host });
      await deps.jobs.start(jobHandlers(deps)).catch((error: unknown) => {
        // A stop during the start closes what the start uses; such an error is expected.
        if (!isClosing) throw error;
      });
    },
    async close() {
      isClosing = true;
      await app.close();
      await control?.close();
      await opened.close();
    },
  };
}

/** Loaded only when needed: a server on PostgreSQL doesn't need the maintenance commands. */
async function openControl(deps: Deps, handle: DatabaseHandle): Promise<{ close(): Promise<void> }> {
  const { startControl } = await import("#server/cli/control.ts");
  return startControl(deps, handle);
}
