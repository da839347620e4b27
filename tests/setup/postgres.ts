import type { TestProject } from "vitest/node";
import { openPostgresForTests } from "#tests/support/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser address of the PostgreSQL server under test; empty where the tests run on the embedded database. */
    postgresAdminUrl: string;
  }
}

/** One PostgreSQL server for the whole `postgres` project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openPostgresForTests();
  project.provide("postgresAdminUrl", server.url);
  return () => server.stop();
}
