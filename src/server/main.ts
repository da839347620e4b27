import { buildApp } from "#server/app.ts";
import { refuseDemoAccounts, seedDemoOnce } from "#server/cli/demo.ts";
import type { DatabaseHandle } from "#server/db/open.ts";
import { describeFailure } from "#server/failure.ts";
import { jobHandlers } from "#server/job-handlers.ts";
import { openDeps } from "#server/open-deps.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";

/** The server process: environment, database, jobs, HTTP; then a graceful stop. */
async function main(): Promise<void> {
  const { deps, handle, close } = await openDeps(readEnv());
  const { env, log } = deps;
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "the process ends on an error that nobody caught");
    process.exit(1);
  });

  await refuseDemoAccounts(deps);
  const app = await buildApp(deps);
  const control = handle.kind === "embedded" ? await openControl(deps, handle) : undefined;
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: finishing what runs`);
    // A hanging request must not keep the process alive.
    setTimeout(() => process.exit(1), 20_000).unref();
    await app.close();
    await control?.close();
    await close();
    log.info("stopped");
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  if (env.demo) await seedDemoOnce(deps);
  await app.listen({ port: env.port, host: env.host });
  await deps.jobs.start(jobHandlers(deps)).catch((error: unknown) => {
    // A stop during the start closes what the start uses; such an error is expected.
    if (!isStopping) throw error;
  });
  log.info(`Gona is ready at ${env.publicUrl}`);
}

/** Loaded only when needed: a server on PostgreSQL doesn't need the maintenance commands. */
async function openControl(deps: Deps, handle: DatabaseHandle): Promise<{ close(): Promise<void> }> {
  const { startControl } = await import("#server/cli/control.ts");
  return startControl(deps, handle);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
});
