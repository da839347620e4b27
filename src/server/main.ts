import { readEnv } from "#server/platform/env.ts";
import { describeFailure } from "./failure.ts";
import { openDeps } from "./open-deps.ts";
import { openServer } from "./open-server.ts";

/** The server process, with a graceful stop. */
async function main(): Promise<void> {
  const opened = await openDeps(readEnv());
  const { env, log, site } = opened.deps;
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "the process ends on an error that nobody caught");
    process.exit(1);
  });
  const server = await openServer(opened);
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: finishing what runs`);
    // A hanging request must not keep the process alive.
    setTimeout(() => process.exit(1), 20_000).unref();
    await server.close();
    log.info("stopped");
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  await server.start();
  log.info(`${site.current().name} is ready at ${env.publicUrl}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
});
