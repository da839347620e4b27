import { eq } from "drizzle-orm";
import { userRoles } from "#server/db/schema/users.ts";
import { queryPath } from "./lib/calls.ts";
import { compareThroughput } from "./lib/compare.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** The project page and the administrators' payments against the same answers written by hand. */
const PROJECTS = 10_000;

export async function measure(): Promise<Measurement[]> {
  return onDatabase(PROJECTS, async ({ db, startReference, startProduct, cookieOf }) => {
    const [owner] = await db.select().from(userRoles).where(eq(userRoles.role, "owner")).limit(1);
    if (!owner) throw new Error("no owner is seeded");
    const headers = { cookie: await cookieOf({ id: owner.userId, isAdmin: true }) };
    const product = await startProduct();
    const handWritten = await startReference("references/hand-written.ts");
    // Not cached: what it says depends on who asks.
    const ids = Array.from({ length: 500 }, (_, index) => 1 + index * 19);
    const page = await compareThroughput(
      { ...product, paths: ids.map((projectId) => queryPath("projects.byId", { projectId })) },
      { ...handWritten, paths: ids.map((id) => `/project/${id}`) },
    );
    const table = await compareThroughput(
      { ...product, paths: [queryPath("payments.list", {})], headers },
      { ...handWritten, paths: ["/payments"], headers },
    );
    return [
      {
        what: `project page, ${ids.length} projects in turn ÷ hand-written Fastify + postgres.js`,
        target: { atLeast: 0.8 },
        ...page,
      },
      {
        what: "payments table, 50 rows with joins ÷ hand-written Fastify + postgres.js",
        target: { atLeast: 0.65 },
        ...table,
      },
    ];
  });
}
