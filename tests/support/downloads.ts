import type { FastifyInstance } from "fastify";
import { startSession } from "#server/accounts/sessions.ts";
import type { Deps } from "#server/platform/deps.ts";
import { exportPath } from "#shared/exports/texts.ts";
import type { TestUser } from "./people.ts";

/** Files as the browser of a signed-in person, or of nobody, asks for them. */

export async function download(deps: Deps, app: FastifyInstance, person: TestUser | null, path: string) {
  const kind = person?.isAdmin ? "admin" : "backer";
  const from = { device: "Test browser", ipAddress: "203.0.113.9" };
  const token = person && (await startSession(deps, { userId: person.id, kind, ...from }));
  return app.inject({ url: path, cookies: token ? { session: token } : {} });
}

/** The ledger's entries, as the JSON has them. */
export async function exportedLedger(
  deps: Deps,
  app: FastifyInstance,
  person: TestUser,
): Promise<Record<string, unknown>[]> {
  const answer = await download(deps, app, person, exportPath("ledger", "json"));
  if (answer.statusCode !== 200) throw new Error(`the ledger was answered ${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

/** The cells of a CSV, which quotes every one. */
export const cellsOf = (csv: string): string[][] =>
  csv
    .replace(/^\uFEFF/, "")
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = ""]) => cell.replaceAll('""', '"')));
