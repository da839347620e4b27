import { buildApp } from "#server/app.ts";
import { openDeps } from "#server/open-deps.ts";
import { readEnv } from "#server/platform/env.ts";

/** The product without its cache: every list comes from the database. */
async function main(): Promise<void> {
  const { deps, close } = await openDeps(readEnv());
  const app = await buildApp(deps, { isCached: false });
  process.on("SIGTERM", async () => {
    await app.close();
    await close();
    process.exit(0);
  });
  await app.listen({ port: deps.env.port, host: deps.env.host });
  console.log("listening");
}

void main();
