import type { TestProject } from "vitest/node";
import { startPostgres } from "#tests/support/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser address of the PostgreSQL server under test; empty where the tests run on the embedded database. */
    postgresAdminUrl: string;
  }
}

/** One PostgreSQL server for the whole `postgres` project: the one of TEST_DATABASE_URL, or a temporary one. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) {
    project.provide("postgresAdminUrl", process.env.TEST_DATABASE_URL);
    return undefined;
  }
  // Compiling the large queries of the checks and the models costs more than running them on a few rows.
  const server = await startPostgres({ settings: ["jit=off"] });
  project.provide("postgresAdminUrl", server.url);
  return () => server.stop();
}
