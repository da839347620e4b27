import { sql } from "drizzle-orm";
import { type Db, type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projects } from "#server/db/schema/projects.ts";
import { beginRound, type RoundOffer } from "#server/features/projects/rounds/service.ts";
import { endOfCampaign } from "#server/features/projects/rules.ts";
import { defaultTerms, type Terms } from "#shared/projects/terms-texts.ts";
import { administratorsName } from "#shared/projects/texts.ts";

export type TestProject = typeof projects.$inferSelect;

let created = 0;

/** Where the tests' clock begins. */
let now = new Date("2026-11-21T09:00:00.000Z");

/** For tests of servers whose clock nobody sets: their projects begin now. */
export function makeProjectsOfToday(): void {
  now = new Date();
}

export type TestFarm = typeof farms.$inferSelect;

/** A farm in Oyo, unless said otherwise. */
export async function createFarm(db: DbOrTx, values: Partial<typeof farms.$inferInsert> = {}): Promise<TestFarm> {
  const defaults = { name: "Gona Farms", state: "Oyo" as const, place: "Ibadan", createdAt: now, updatedAt: now };
  const [farm] = await db
    .insert(farms)
    .values({ ...defaults, ...values })
    .returning();
  if (!farm) throw new Error("the farm was not inserted");
  return farm;
}

type NewProject = typeof projects.$inferInsert &
  RoundOffer &
  Pick<Terms, "releaseParts"> & { terms: Partial<Terms>; openedAt: Date };

/**
 * An open project of a farm of its own with a goal of ₦500,000, sold as one lot, and 30 days to go, unless said
 * otherwise.
 */
export async function createProject(
  db: Db,
  { lots = 1, minimumLots = lots, releaseParts = [], terms = {}, openedAt = now, ...values }: Partial<NewProject> = {},
): Promise<TestProject> {
  created += 1;
  const defaults = {
    title: `Catfish ponds ${created}`,
    creator: "Gona Farms",
    category: "livestock" as const,
    shortDescription: "Three new ponds for a cooperative near Ibadan.",
    description: "<p>Three new ponds, stocked twice a year and looked after by a cooperative of fish farmers.</p>",
    imageUrl: "/scenes/catfish-ponds.svg",
    location: "Oyo",
    fundingGoalKobo: 50_000_000n,
    endsAt: endOfCampaign(now),
    createdAt: now,
    updatedAt: now,
    closedAt: values.isClosed ? now : null,
  };
  return inTransaction(db, async (tx) => {
    const named = { ...defaults, ...values };
    // The operator's own projects have no farm, and a name that is no farm's is kept as it is.
    const isOfFarm = named.farmId === undefined && isFarmName(named.creator);
    const farm = isOfFarm ? await createFarm(tx, { name: named.creator }) : null;
    const [row] = await tx
      .insert(projects)
      .values({ ...named, ...(farm && { farmId: farm.id }) })
      .returning();
    if (!row) throw new Error("the project was not inserted");
    const { id: projectId, round, fundingGoalKobo } = row;
    const offer = { lots, minimumLots, fundingGoalKobo };
    await beginRound(
      tx,
      { projectId, round },
      { offer, terms: { ...defaultTerms(500), releaseParts, ...terms }, by: null, at: openedAt },
    );
    return row;
  });
}

const isFarmName = (creator: string | undefined): boolean =>
  creator !== undefined && creator !== administratorsName && creator.length >= 2 && creator.length <= 80;

/** The farm that runs a project of {@link createProject}. */
export function farmOf({ farmId }: Pick<TestProject, "farmId">): { farmId: number } {
  if (farmId === null) throw new Error("the project has no farm");
  return { farmId };
}

/** Writes the first round, of one lot, for every project that a test inserted by itself in this transaction. */
export async function beginMissingRounds(tx: Tx): Promise<void> {
  await tx.execute(sql`insert into round_terms (project_id, round, version, unit, farm_part_rate, deductible_costs,
      fee_rate, options, collection_place, choice_days, collection_days, release_parts, text, text_sha256)
    select id, 1, 1, 'share', 0, '[]', 500, '["sale"]', '', 14, 7, '[]', 'Risk: None.', encode(sha256('Risk: None.'), 'hex') from projects
    where id not in (select project_id from project_rounds)`);
  await tx.execute(sql`insert into project_rounds (project_id, round, lots, minimum_lots, lot_price_kobo, terms_version)
    select id, 1, 1, 1, funding_goal_kobo, 1 from projects where id not in (select project_id from project_rounds)`);
}
