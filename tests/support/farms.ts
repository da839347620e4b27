import type { Db } from "#server/db/open.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import type { FarmRole } from "#shared/farms/texts.ts";
import { createUser, type TestUser } from "./people.ts";

/** Somebody who works for a farm: the given person, or a new one. */
export async function createFarmPerson(
  db: Db,
  farmId: number,
  role: FarmRole,
  person?: Pick<TestUser, "id">,
): Promise<TestUser> {
  const user = (person ?? (await createUser(db))) as TestUser;
  await db.insert(farmPeople).values({ farmId, userId: user.id, role });
  return user;
}
