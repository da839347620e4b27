import { asc, inArray, sql } from "drizzle-orm";
import { farms } from "#server/db/schema/farms.ts";
import type { FarmContext } from "#server/platform/procedures.ts";

/** The farms that the caller works for, by name. */
export async function listOwnFarms({ db, farms: own }: Pick<FarmContext, "db" | "farms">) {
  const { id, name, state, place } = farms;
  const found = await db
    .select({ id, name, state, place })
    .from(farms)
    .where(
      inArray(
        id,
        own.map(({ farmId }) => farmId),
      ),
    )
    .orderBy(asc(sql`lower(${name})`), asc(id));
  const roleOf = new Map(own.map(({ farmId, role }) => [farmId, role]));
  return found.map((farm) => ({ ...farm, role: roleOf.get(farm.id) ?? ("reporter" as const) }));
}
