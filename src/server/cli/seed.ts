import { and, count, inArray, isNotNull } from "drizzle-orm";
import { type Db, inTransaction, type Tx } from "#server/db/open.ts";
import { users } from "#server/db/schema/users.ts";
import { refreshSuggestions } from "#server/features/bank/matching/suggestions.ts";
import { decideOnRound } from "#server/features/payments/review/round-decision.ts";
import { addFavorite } from "#server/features/projects/favorites/service.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { saveSearch } from "#server/features/saved-searches/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { saveSearchInput } from "#shared/saved-searches/inputs.ts";
import { type DemoSeason, readDemoCrowd, readDemoFarms, readDemoSeason, readDemoTestimonials } from "./demo-data.ts";
import { readDemoReports } from "./demo-reports.ts";
import { type Bank, planImports, planReleases, planRuns } from "./seed-bank.ts";
import { planBooks } from "./seed-books.ts";
import { planFarms } from "./seed-farms.ts";
import { planHarvests, planLosses } from "./seed-harvests.ts";
import { closeOffice, type Office, type Step } from "./seed-office.ts";
import { planParts } from "./seed-parts.ts";
import { planPasts } from "./seed-pasts.ts";
import { openOffice, peopleDaysAgo, type SeedInput } from "./seed-people.ts";
import { planOpenAffairs, planPurchases } from "./seed-purchases.ts";
import { planReports } from "./seed-reports.ts";
import { planInbox, planTestimonials } from "./seed-site.ts";

/** Returns true if the database has no accounts. */
export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const [row] = await db.select({ total: count() }).from(users);
  return row?.total === 0;
}

/**
 * Returns true if one of the accounts is the demo's: nobody else confirms an address of `.example`, which no mail
 * reaches.
 */
export async function hasDemoAccounts(db: Db, emails: string[]): Promise<boolean> {
  return (await db.$count(users, and(inArray(users.email, emails), isNotNull(users.emailVerifiedAt)))) > 0;
}

/**
 * Plays the demo's past day by day, from its first owner on, in one transaction, so that a killed process leaves nothing
 * half-done: what the product's own services do within it are savepoints. Files are stored before; after a failure they are
 * swept as orphans.
 */
export async function seedDemoData(deps: Deps, input: SeedInput): Promise<void> {
  await inTransaction(deps.db, (tx) => liveSeason(tx, deps, input));
  await deps.site.refresh();
}

async function liveSeason(tx: Tx, deps: Deps, input: SeedInput): Promise<void> {
  const [farms, crowd, season] = [await readDemoFarms(), await readDemoCrowd(), await readDemoSeason()];
  const [testimonials, reports] = [await readDemoTestimonials(), await readDemoReports()];
  const office = await openOffice(tx, deps, { ...input, farms, crowd, season, reports });
  const bank: Bank = { expected: [] };
  const steps = [
    ...planFarms(office),
    ...planPurchases(office, bank),
    ...planOpenAffairs(office),
    ...planUnfunded(office, season),
    ...planReleases(office, season),
    ...planParts(office, season),
    ...planPasts(office, season),
    ...planHarvests(office, bank, season),
    ...planLosses(office, bank, season),
    ...planImports(office, bank, season),
    ...planRuns(office, bank, season),
    ...planReports(office, reports),
    ...planBooks(office, peopleDaysAgo),
    ...planTestimonials(office, testimonials),
    ...planInbox(office, crowd),
    planWishes(office),
  ];
  for (const { run } of steps.sort((one, other) => one.at.getTime() - other.at.getTime())) await run();
  await refreshSuggestions(tx);
  await closeOffice(office);
}

/** Farms whose time ran out below the minimum, and whose round an owner gives back. */
const planUnfunded = (office: Office, { notFunded }: DemoSeason): Step[] =>
  notFunded.flatMap(({ farm, daysAgo }): Step[] => {
    const { startedDaysAgo, durationDays } = office.farmOf(farm);
    const [ended, decided] = [office.ago(startedDaysAgo - durationDays), office.ago(daysAgo)];
    const giveBack = async () => {
      const { projectId } = office.farmOf(farm);
      const { approvedLots: seenApprovedLots } = await findRound(office.tx, { projectId, round: 1 });
      await decideOnRound(office.as("owner", decided), { projectId, outcome: "not_funded", seenApprovedLots });
    };
    return [
      { at: ended, run: () => closeExpiredProjects(office.as("owner", ended)) },
      { at: decided, run: giveBack },
    ];
  });

/** Plans the demo backer's wishes: some favorites and a saved search. */
const planWishes = (office: Office): Step => ({
  at: office.now,
  run: async () => {
    const ctx = office.asPerson(office.backer, office.now);
    const liked = office.farms.filter((farm) => !farm.isClosed).slice(-3);
    for (const { projectId } of liked) await addFavorite(ctx, { projectId });
    const filters = { state: "Lagos", maxLotPrice: 100_000 };
    await saveSearch(ctx, saveSearchInput.parse({ name: "Farms in Lagos, up to ₦100,000 a lot", filters }));
  },
});
