import { and, count, inArray, isNotNull } from "drizzle-orm";
import { keepOwnerTerms } from "#server/accounts/owner-terms.ts";
import { type Db, inTransaction, type Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectFavorites, projectMedia } from "#server/db/schema/projects.ts";
import { savedSearches } from "#server/db/schema/saved-searches.ts";
import { settings } from "#server/db/schema/settings.ts";
import { sitePages, siteProfiles } from "#server/db/schema/site.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { userGrants, userRoles, users } from "#server/db/schema/users.ts";
import { refreshSuggestions } from "#server/features/bank/matching/suggestions.ts";
import { fillHolidays } from "#server/features/holidays/jobs.ts";
import { decideOnRound } from "#server/features/payments/review/round-decision.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { addTestimonial } from "#server/features/site/home/testimonials.ts";
import { storePhoto } from "#server/files/photos.ts";
import type { Deps } from "#server/platform/deps.ts";
import { readShipped } from "#server/platform/page-texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { type Grant, grants } from "#shared/permissions.ts";
import { saveSearchInput } from "#shared/saved-searches/inputs.ts";
import { careersKey, homeFiguresKey, knownSettings } from "#shared/settings/texts.ts";
import {
  type DemoCrowd,
  type DemoSeason,
  type DemoTestimonial,
  readDemoAbout,
  readDemoCrowd,
  readDemoFarms,
  readDemoOperator,
  readDemoSeason,
  readDemoTestimonials,
} from "./demo-data.ts";
import { type DemoReports, readDemoReports } from "./demo-reports.ts";
import { type Bank, planImports, planReleases, planRuns } from "./seed-bank.ts";
import { planBooks } from "./seed-books.ts";
import { insertFarm } from "./seed-farms.ts";
import { planHarvests, planLosses } from "./seed-harvests.ts";
import {
  closeOffice,
  type DemoPeople,
  type Office,
  openOffice,
  type Person,
  type SeededFarm,
  type Step,
} from "./seed-office.ts";
import { planParts } from "./seed-parts.ts";
import { planPasts } from "./seed-pasts.ts";
import { followedOf, planOpenAffairs, planPurchases } from "./seed-purchases.ts";
import { planReports } from "./seed-reports.ts";

/** Before the first farm began. */
const peopleDaysAgo = 180;

type SignIn = { email: string; passwordHash: string };
/** Two owners, of whom one confirms what the other can't do alone, and a backer. */
type SeedInput = {
  owner: SignIn;
  second: SignIn;
  backer: SignIn;
  /** Those of the farms' people who can sign in. */
  farmPeople?: SignIn[];
  /** Who works in the office beside the owners. */
  granted?: Partial<Record<Grant, SignIn>>;
};

/** Whether the database has no accounts. */
export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const [row] = await db.select({ total: count() }).from(users);
  return row?.total === 0;
}

/** Whether one of the accounts is the demo's: nobody else confirms an address of `.example`, which no mail reaches. */
export async function hasDemoAccounts(db: Db, emails: string[]): Promise<boolean> {
  return (await db.$count(users, and(inArray(users.email, emails), isNotNull(users.emailVerifiedAt)))) > 0;
}

/**
 * Loads the demo farms and plays their past day by day, in one transaction, so that a killed process leaves nothing
 * half-done: what the product's own services do within it are savepoints. Files are stored before; after a failure they are
 * swept as orphans.
 */
export async function seedDemoData(deps: Deps, input: SeedInput): Promise<void> {
  const [demoFarms, crowd, season] = [await readDemoFarms(), await readDemoCrowd(), await readDemoSeason()];
  const [testimonials, reports] = [await readDemoTestimonials(), await readDemoReports()];
  const now = deps.clock.now();
  await keepOperator(deps);
  await inTransaction(deps.db, async (tx) => {
    const demo = await insertPeople(tx, now, { ...input, crowd, reports, secondName: season.secondOwner.fullName });
    await insertTexts(tx, now, demo.owner);
    await insertSettings(tx, now);
    await fillHolidays({ db: tx, clock: deps.clock });
    const farms: SeededFarm[] = [];
    for (const [index, farm] of demoFarms.entries()) {
      farms.push(await insertFarm(tx, { ...demo, farm, index, now }));
    }
    await liveSeason(tx, season, { ...demo, deps, farms, testimonials, reports });
    await insertBackerLife(tx, { farms, backer: demo.backer, now });
    await insertInbox(tx, crowd, now);
  });
}

/** Plays the demo's past, as two owners and their backers lived it. */
async function liveSeason(
  tx: Tx,
  season: DemoSeason,
  demo: DemoPeople & {
    deps: Deps;
    farms: SeededFarm[];
    farmPeople: Person[];
    testimonials: DemoTestimonial[];
    reports: DemoReports;
  },
): Promise<void> {
  const office = await openOffice(tx, demo);
  for (const testimonial of demo.testimonials) await addDemoTestimonial(office, testimonial);
  const bank: Bank = { expected: [] };
  const steps = [
    ...planPurchases(office, bank),
    ...planOpenAffairs(office),
    ...planUnfunded(office, season),
    ...planReleases(office, season),
    ...planParts(office, season, demo.reports, demo.farmPeople),
    ...planPasts(office, season, demo.reports, demo.farmPeople),
    ...planHarvests(office, bank, season),
    ...planLosses(office, bank, season),
    ...planImports(office, bank, season),
    ...planRuns(office, bank, season),
    ...planReports(office, demo.reports, demo.farmPeople),
    ...planBooks(office, peopleDaysAgo),
  ];
  for (const { run } of steps.sort((one, other) => one.at.getTime() - other.at.getTime())) await run();
  await refreshSuggestions(tx);
  await closeOffice(office, demo);
}

const saidDaysAgo = 30;

async function addDemoTestimonial(office: Office, { drawing, ...said }: DemoTestimonial): Promise<void> {
  const owner = office.as("owner", office.ago(saidDaysAgo));
  const upload = { ...(await office.storeFile(drawing, "photo")), originalName: `${said.name}.svg` };
  const { url: photo } = await storePhoto(owner, upload);
  await addTestimonial(owner, { ...said, photo });
}

/** Farms whose time ran out below the minimum, and whose round an owner gives back. */
const planUnfunded = (office: Office, { notFunded }: DemoSeason): Step[] =>
  notFunded.flatMap(({ farm, daysAgo }): Step[] => {
    const { projectId, startedDaysAgo, durationDays } = office.farmOf(farm);
    const [ended, decided] = [office.ago(startedDaysAgo - durationDays), office.ago(daysAgo)];
    return [
      { at: ended, run: () => closeExpiredProjects(office.as("owner", ended)) },
      {
        at: decided,
        run: async () => {
          const { approvedLots: seenApprovedLots } = await findRound(office.tx, { projectId, round: 1 });
          await decideOnRound(office.as("owner", decided), { projectId, outcome: "not_funded", seenApprovedLots });
        },
      },
    ];
  });

/** Names the site after the demo's operator, unless it has a name. In a transaction of its own, because the services ask for it. */
async function keepOperator({ db, clock, site }: Pick<Deps, "db" | "clock" | "site">): Promise<void> {
  const createdAt = new Date(clock.now().getTime() - (peopleDaysAgo + 1) * dayMs);
  await db
    .insert(siteProfiles)
    .values({ version: 1, ...(await readDemoOperator()), createdAt })
    .onConflictDoNothing();
  await site.refresh();
}

type NewPeople = SeedInput & { crowd: DemoCrowd; reports: DemoReports; secondName: string };

async function insertPeople(tx: Tx, now: Date, given: NewPeople) {
  const { owner, second, backer, farmPeople: signIns = [], granted = {}, crowd, reports, secondName } = given;
  const since = new Date(now.getTime() - peopleDaysAgo * dayMs);
  const base = { emailVerifiedAt: since, createdAt: since, updatedAt: since };
  const rows = await tx
    .insert(users)
    .values([
      { ...base, ...owner, fullName: "Amaka Obi", isAdmin: true },
      { ...base, ...second, fullName: secondName, isAdmin: true },
      { ...base, ...backer, fullName: "Bola Adeyinka" },
      ...reports.farms.map(({ person: { fullName, email } }) => ({
        ...base,
        fullName,
        email,
        passwordHash: signIns.find((one) => one.email === email)?.passwordHash,
      })),
      ...crowd.people.map(({ fullName, email }) => ({ ...base, fullName, email })),
    ])
    .returning({ id: users.id, email: users.email, fullName: users.fullName });
  const [ownerRow, secondRow, backerRow, ...others] = rows;
  const farmPeople = others.slice(0, reports.farms.length);
  const people = others.slice(farmPeople.length);
  if (!ownerRow || !secondRow || !backerRow) throw new Error("the demo people were not written");
  const owners = [ownerRow, secondRow];
  await tx.insert(userRoles).values(owners.map(({ id }) => ({ userId: id, role: "owner" as const, createdAt: since })));
  await keepOwnerTerms(tx, since);
  await insertGranted(tx, { since, givenBy: ownerRow.id, granted });
  return { owner: ownerRow, second: secondRow, backer: backerRow, farmPeople, people };
}

const grantedNames: Record<Grant, string> = { accountant: "Ngozi Balogun", cashier: "Musa Danladi" };

async function insertGranted(
  tx: Tx,
  { since, givenBy, granted }: { since: Date; givenBy: string; granted: NonNullable<SeedInput["granted"]> },
): Promise<void> {
  for (const grant of grants) {
    const signIn = granted[grant];
    if (!signIn) continue;
    const [row] = await tx
      .insert(users)
      .values({
        ...signIn,
        fullName: grantedNames[grant],
        isAdmin: true,
        emailVerifiedAt: since,
        createdAt: since,
        updatedAt: since,
      })
      .returning({ id: users.id });
    if (row) await tx.insert(userGrants).values({ userId: row.id, grant, givenBy, createdAt: since });
  }
}

/** The demo's operator has a story of their own, and has adopted the texts that people agree to. The others are still drafts. */
async function insertTexts(tx: Tx, now: Date, { id: writtenBy }: Person): Promise<void> {
  const since = new Date(now.getTime() - peopleDaysAgo * dayMs);
  const texts = [
    { page: "about" as const, html: await readDemoAbout() },
    { page: "terms" as const, html: await readShipped("terms") },
    { page: "privacy" as const, html: await readShipped("privacy") },
  ];
  await tx.insert(sitePages).values(
    texts.map((text) => ({
      ...text,
      version: 1,
      isMaterial: false,
      inForceFrom: since,
      createdAt: since,
      writtenBy,
    })),
  );
}

async function insertSettings(tx: Tx, now: Date): Promise<void> {
  await tx.insert(settings).values(
    [
      { key: "sessiontimeout", value: "30", description: "Admin session timeout in minutes" },
      { key: "bankname", value: "Demo Bank (not a real bank)", description: "Bank that backers transfer to" },
      { key: "bankaccountname", value: "DEMO - do not pay", description: "Name of the platform account" },
      { key: "bankaccountnumber", value: "0000000000", description: "Number of the platform account" },
      { key: homeFiguresKey, value: "claimed", description: knownSettings[homeFiguresKey] },
      { key: careersKey, value: "on", description: knownSettings[careersKey] },
    ].map((setting) => ({ ...setting, updatedAt: now })),
  );
  await tx.insert(ownAccounts).values({
    bankName: "Demo Bank (not a real bank)",
    accountName: "DEMO - do not pay",
    accountNumber: "0000000000",
    isActive: true,
    createdAt: now,
    updatedAt: now,
  });
}

async function insertBackerLife(
  tx: Tx,
  { farms, backer, now }: { farms: SeededFarm[]; backer: Person; now: Date },
): Promise<void> {
  const followed = followedOf(farms);
  if (followed.length > 0) {
    await tx.insert(projectMedia).values(
      followed.slice(0, 1).map(({ projectId }) => ({
        projectId,
        type: "livestream" as const,
        url: "[url]https://live.farm.example/",
        altText: "The farm's camera. In the demo its address leads nowhere.",
        createdAt: now,
      })),
    );
    await tx.insert(notifications).values(
      followed.map(({ projectId, title }) => ({
        userId: backer.id,
        kind: "project_update" as const,
        title: "New project update",
        content: `"${title}" has published a new update.`,
        projectId,
        eventKey: `demo:update:${projectId}`,
        emailSent: true,
        createdAt: now,
      })),
    );
  }
  const liked = farms.filter((farm) => !farm.isClosed).slice(-3);
  await tx
    .insert(projectFavorites)
    .values(liked.map(({ projectId }) => ({ projectId, userId: backer.id, createdAt: now })));
  const filters = { state: "Lagos", maxLotPrice: 100_000 };
  const search = saveSearchInput.parse({ name: "Farms in Lagos, up to ₦100,000 a lot", filters });
  await tx.insert(savedSearches).values({ ...search, userId: backer.id, toldUntil: now, createdAt: now });
}

/** The demo's applications and contact messages, with their ages. */
async function insertInbox(tx: Tx, { applicants, contactMessages: letters }: DemoCrowd, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await tx
    .insert(jobApplications)
    .values(applicants.map(({ daysAgo, ...applicant }) => ({ ...applicant, createdAt: ago(daysAgo) })));
  await tx.insert(contactMessages).values(
    letters.map(({ daysAgo, isRead, ...message }) => ({
      ...message,
      readAt: isRead ? ago(daysAgo / 2) : null,
      createdAt: ago(daysAgo),
    })),
  );
}
