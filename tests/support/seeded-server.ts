import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright";
import type { Deps } from "#server/core/deps.ts";
import { readEnv } from "#server/core/env.ts";
import { seedDemo } from "#server/demo.ts";
import { openDeps } from "#server/open-deps.ts";
import { type BuiltServer, startBuiltServer } from "./built-server.ts";
import type { TestUser } from "./people.ts";

export type SeededServer<Prepared> = BuiltServer & { prepared: Prepared };

/** The built product on demo farms and what `prepare` adds to its database before the server has it. */
export async function startSeededServer<Prepared>(
  prepare: (deps: Deps) => Promise<Prepared>,
  env: Record<string, string> = {},
): Promise<SeededServer<Prepared>> {
  const dataDir = mkdtempSync(join(tmpdir(), "gona-data-"));
  const { deps, close } = await openDeps(readEnv({ DATA_DIR: dataDir, LOG_LEVEL: "warn" }));
  let prepared: Prepared;
  try {
    await seedDemo(deps);
    prepared = await prepare(deps);
  } finally {
    await close();
  }
  const server = await startBuiltServer({ dataDir, env: { LOG_LEVEL: "warn", ...env } });
  return {
    ...server,
    prepared,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs a browser in without its screens, for tests that are about what comes after. */
export async function signInBrowser(
  context: BrowserContext,
  server: Pick<BuiltServer, "url">,
  { email, password, isAdmin }: Pick<TestUser, "email" | "password" | "isAdmin">,
): Promise<void> {
  const procedure = isAdmin ? "auth.adminSignIn" : "auth.signIn";
  const answer = await context.request.post(`${server.url}/trpc/${procedure}`, {
    headers: { origin: server.url },
    data: { json: { email, password } },
  });
  if (!answer.ok()) throw new Error(`The sign-in failed: ${await answer.text()}`);
}
