import { startSession } from "#server/accounts/sessions.ts";
import { openDeps } from "#server/open-deps.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readEnv } from "#server/platform/env.ts";

/** Opens a database with the product's own parts (migrated, no HTTP), to fill it for a bench, and closes it again. */
export async function withDeps<T>(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  run: (deps: Deps) => Promise<T>,
): Promise<T> {
  const { deps, close } = await openDeps(readEnv({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: "warn" }));
  try {
    return await run(deps);
  } finally {
    await close();
  }
}

/** Signs a person in; gives the header's value. */
export async function cookieOf(deps: Deps, { id: userId, isAdmin }: { id: string; isAdmin: boolean }): Promise<string> {
  const kind = isAdmin ? "admin" : "backer";
  return `session=${await startSession(deps, { userId, kind, device: "bench", ipAddress: "127.0.0.1" })}`;
}
