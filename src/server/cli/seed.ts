import { and, count, eq, inArray, like, or } from "drizzle-orm";
import { keepOwnerTerms } from "#server/accounts/owner-terms.ts";
import { type Db, inTransaction, type Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import {
  projectFavorites,
  projectMedia,
  projectMessages,
  projects,
  projectUpdates,
} from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { refreshSuggestions } from "#server/features/bank/matching/suggestions.ts";
import { decideOnRound } from "#server/features/payments/review/round-decision.ts";
import { beginRound, findRound } from "#server/features/projects/rounds/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { dayInLagos } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { nairaToKobo } from "#shared/money.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import {
  type DemoCrowd,
  type DemoFarm,
  type DemoSeason,
  readDemoCrowd,
  readDemoFarms,
  readDemoSeason,
} from "./demo-data.ts";
import { type Bank, expectPayment, planImports, planReleases, planRuns } from "./seed-bank.ts";
import { planHarvests, planLosses } from "./seed-harvests.ts";
import { giveDemoRoundBack, grantDemoBacking, holdDemoLots, insertDemoQueue } from "./seed-holds.ts";
import { closeOffice, openOffice, type Person, type SeededFarm, type Step, type StoreFile } from "./seed-office.ts";
import { type DemoPayment, demoReferencePrefix, insertDemoPayment } from "./seed-payments.ts";

/** Before the first farm began. */
const peopleDaysAgo = 180;

type SignIn = { email: string; passwordHash: string };
type SeedInput = {
  now: Date;
  owner: SignIn;
  backer: SignIn;
  storeFile: StoreFile;
  /** Everything after the approvals: statements, money out and harvests, with a second owner. Without it no statement was imported. */
  season?: { deps: Deps; secondOwner: SignIn };
};

/** Whether the database has no accounts. */
export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const [row] = await db.select({ total: count() }).from(users);
  return row?.total === 0;
}

/** Whether one of the accounts is the demo's: it sent or decided a payment with a demo reference. */
export async function hasDemoAccounts(db: Db, emails: string[]): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(projectPayments, or(eq(projectPayments.userId, users.id), eq(projectPayments.decidedBy, users.id)))
    .where(and(inArray(users.email, emails), like(projectPayments.reference, `${demoReferencePrefix}%`)))
    .limit(1);
  return found.length > 0;
}

/**
 * Loads the demo farms and all their data in one transaction, so that a killed process leaves nothing half-done: what the
 * product's own services do within it are savepoints. Files are stored before; after a failure they are swept as orphans.
 */
export async function seedDemoData(db: Db, input: SeedInput): Promise<void> {
  const [demoFarms, crowd, season] = [await readDemoFarms(), await readDemoCrowd(), await readDemoSeason()];
  await inTransaction(db, async (tx) => {
    const { owner, backer, people } = await insertPeople(tx, input, crowd);
    await insertSettings(tx, input.now);
    const farms: SeededFarm[] = [];
    for (const [index, farm] of demoFarms.entries()) {
      farms.push(await insertFarm(tx, { farm, index, owner, people, now: input.now }));
    }
    const payments = planPayments(farms, backer, people);
    const demo = { now: input.now, farms, owner, backer, people, payments, storeFile: input.storeFile };
    if (input.season) await liveSeason(tx, season, { ...demo, ...input.season });
    else await payBeforeStatements(tx, demo);
    await insertBackerLife(tx, { farms, backer, now: input.now });
    await insertOpenAffairs(tx, { farms, owner, backer, people, now: input.now });
    await insertInbox(tx, crowd, input.now);
  });
}

type Demo = {
  now: Date;
  farms: SeededFarm[];
  owner: Person;
  backer: Person;
  people: Person[];
  payments: DemoPayment[];
  storeFile: StoreFile;
};

const roundDecidedDaysAgo = 2;

/** Without statements an owner approves by the receipt, day by day, and gives back what was paid for a round that missed its minimum. */
async function payBeforeStatements(tx: Tx, { now, farms, owner, payments, storeFile }: Demo): Promise<void> {
  for (const payment of [...payments].sort((one, other) => other.daysAgo - one.daysAgo)) {
    await insertDemoPayment(tx, { ...payment, owner, now, storeFile, isSeenFirst: false });
  }
  const at = new Date(now.getTime() - roundDecidedDaysAgo * dayMs);
  for (const farm of farms.filter(({ isGivenBack }) => isGivenBack)) await giveDemoRoundBack(tx, { farm, owner, at });
}

type LivedInput = Demo & { deps: Deps; secondOwner: SignIn };

/** Plays the demo's past day by day, as two owners and their backers lived it. */
async function liveSeason(tx: Tx, season: DemoSeason, { deps, secondOwner, ...demo }: LivedInput): Promise<void> {
  const { now, farms, owner, backer, people, payments, storeFile } = demo;
  const second = await insertOwner(tx, { ...season.secondOwner, ...secondOwner }, now);
  const farmOf = (slug: string) => findFarm(farms, slug);
  const office = await openOffice(tx, { deps, now, owner, second, backer, people, farmOf, storeFile });
  const bank: Bank = { expected: [] };
  const [opening = 0] = season.importsDaysAgo;
  const last = season.importsDaysAgo.at(-1) ?? 0;
  const paid = payments.map((payment): Step => {
    const at = office.ago(payment.daysAgo);
    const isSeenFirst = payment.daysAgo < opening;
    const run = async () => {
      const seen = await insertDemoPayment(tx, { ...payment, owner, now, storeFile, isSeenFirst });
      if (payment.status !== "approved") return;
      if (payment.daysAgo < last) throw new Error("no statement of the demo shows an approved payment");
      expectPayment(office, bank, { at, payment: seen, user: payment.user, isApproved: !isSeenFirst });
    };
    return { at, run };
  });
  const notFunded = season.notFunded.map(({ farm, daysAgo }): Step => {
    const [at, { projectId }] = [office.ago(daysAgo), farmOf(farm)];
    const run = async () => {
      const { approvedLots: seenApprovedLots } = await findRound(tx, { projectId, round: 1 });
      await decideOnRound(office.as("owner", at), { projectId, outcome: "not_funded", seenApprovedLots });
    };
    return { at, run };
  });
  const steps = [
    ...paid,
    ...notFunded,
    ...planReleases(office, season),
    ...planHarvests(office, bank, season),
    ...planLosses(office, bank, season),
    ...planImports(office, bank, season),
    ...planRuns(office, bank, season),
  ];
  for (const { run } of steps.sort((one, other) => one.at.getTime() - other.at.getTime())) await run();
  await refreshSuggestions(tx);
  await closeOffice(tx, { now, owner, second });
}

async function insertPeople(tx: Tx, { now, owner, backer }: SeedInput, crowd: DemoCrowd) {
  const since = new Date(now.getTime() - peopleDaysAgo * dayMs);
  const base = { emailVerifiedAt: since, createdAt: since, updatedAt: since };
  const rows = await tx
    .insert(users)
    .values([
      { ...base, ...owner, fullName: "Amaka Obi", isAdmin: true },
      { ...base, ...backer, fullName: "Bola Adeyinka" },
      ...crowd.people.map(({ fullName, email }) => ({ ...base, fullName, email })),
    ])
    .returning({ id: users.id, email: users.email, fullName: users.fullName });
  const [ownerRow, backerRow, ...people] = rows;
  if (!ownerRow || !backerRow) throw new Error("the demo people were not written");
  await tx.insert(userRoles).values({ userId: ownerRow.id, role: "owner", createdAt: since });
  await keepOwnerTerms(tx, since);
  return { owner: ownerRow, backer: backerRow, people };
}

/** The second owner, who confirms what one can't do alone. */
async function insertOwner(tx: Tx, owner: SignIn & { fullName: string }, now: Date): Promise<Person> {
  const createdAt = new Date(now.getTime() - peopleDaysAgo * dayMs);
  const [row] = await tx
    .insert(users)
    .values({ ...owner, isAdmin: true, emailVerifiedAt: createdAt, createdAt, updatedAt: createdAt })
    .returning({ id: users.id, email: users.email, fullName: users.fullName });
  if (!row) throw new Error("the demo's second owner was not written");
  await tx.insert(userRoles).values({ userId: row.id, role: "owner", createdAt });
  await keepOwnerTerms(tx, createdAt);
  return row;
}

async function insertSettings(tx: Tx, now: Date): Promise<void> {
  await tx.insert(settings).values(
    [
      { key: "sessiontimeout", value: "30", description: "Admin session timeout in minutes" },
      { key: "bankname", value: "Demo Bank (not a real bank)", description: "Bank that backers transfer to" },
      { key: "bankaccountname", value: "DEMO - do not pay", description: "Name of the platform account" },
      { key: "bankaccountnumber", value: "0000000000", description: "Number of the platform account" },
      { key: "supportemail", value: "support@gona.example", description: "Address that contact messages go to" },
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

type FarmInput = { farm: DemoFarm; index: number; owner: Person; people: Person[]; now: Date };

async function insertFarm(tx: Tx, { farm, index, owner, people, now }: FarmInput): Promise<SeededFarm> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const startedAt = ago(farm.startedDaysAgo);
  const endsAt = new Date(startedAt.getTime() + farm.durationDays * dayMs);
  const [project] = await tx
    .insert(projects)
    .values({
      title: farm.title,
      creator: farm.creator,
      category: farm.category,
      shortDescription: farm.shortDescription,
      description: farm.descriptionHtml,
      imageUrl: `/scenes/${farm.slug}.svg`,
      imageAlt: farm.imageAlt,
      location: farm.location,
      rewards: [],
      fundingGoalKobo: nairaToKobo(farm.goalNaira),
      durationDays: farm.durationDays,
      endsAt,
      isClosed: farm.isClosed,
      closedAt: farm.isGivenBack ? endsAt : farm.closedDaysAgo === undefined ? null : ago(farm.closedDaysAgo),
      createdAt: startedAt,
      updatedAt: startedAt,
    })
    .returning({ id: projects.id });
  if (!project) throw new Error(`the demo farm ${farm.slug} was not written`);
  const projectId = project.id;
  const { lots, minimumLots = lots } = farm;
  const offer = { lots, minimumLots, fundingGoalKobo: nairaToKobo(farm.goalNaira) };
  const { firstHarvestInDays, ...planned } = farm.terms;
  const firstHarvestOn = firstHarvestInDays
    ? dayInLagos(new Date(endsAt.getTime() + firstHarvestInDays * dayMs))
    : null;
  const terms = { ...defaultTerms(500), ...planned, firstHarvestOn };
  await beginRound(tx, { projectId, round: 1 }, { offer, terms, by: owner.id, at: startedAt });
  await tx.insert(auditLogs).values({
    actionType: "create_project",
    userId: owner.id,
    userEmail: owner.email,
    details: { projectId, title: farm.title },
    ipAddress: "127.0.0.1",
    createdAt: startedAt,
  });

  if (farm.updates.length > 0) {
    await tx
      .insert(projectUpdates)
      .values(
        farm.updates.map(({ daysAgo, title, content }) => ({ projectId, title, content, createdAt: ago(daysAgo) })),
      );
  }
  const firstBacker = people[index % people.length];
  if (farm.messages.length > 0 && firstBacker) {
    await tx.insert(projectMessages).values(
      farm.messages.map(({ daysAgo, from, content }) => ({
        projectId,
        userId: from === "admin" ? owner.id : firstBacker.id,
        isAdminReply: from === "admin",
        content,
        createdAt: ago(daysAgo),
      })),
    );
  }
  if (farm.updates.length > 0) {
    // Since it began: its own picture, and parts of it from nearer by, which browsers cut out by the address.
    const scene = `/scenes/${farm.slug}.svg`;
    const photos = [
      { url: scene, altText: farm.imageAlt },
      ...farm.closeUps.map(({ x, y, width, altText }) => ({
        url: `${scene}#svgView(viewBox(${x},${y},${width},${(width * 5) / 8}))`,
        altText,
      })),
    ];
    await tx.insert(projectMedia).values(
      photos.map(({ url, altText }, order) => ({
        projectId,
        type: "photo" as const,
        url,
        altText,
        width: 1200,
        height: 750,
        createdAt: ago((farm.startedDaysAgo * (order + 1)) / (photos.length + 1)),
      })),
    );
  }
  return { ...farm, projectId };
}

/** Farms whose updates, media and messages the demo backer follows. */
const followedOf = (farms: SeededFarm[]) =>
  farms.filter((farm) => !farm.isClosed && farm.lotsSold > 0 && farm.updates.length >= 6).slice(0, 2);

/** How many lots one person buys after the other: of farms that are sold out by many, so that a harvest has many parts. */
const purchaseSizes = { open: [8, 14, 4, 20, 10, 16, 6, 18, 12], soldOut: [4, 7, 2, 10, 5, 8, 3, 12, 6] };

/** The approved payments of a farm's sold lots, from its start to its last lot or until lately; the first is of the first buyer. */
function planPurchases(farm: SeededFarm, index: number, buyers: Person[]): DemoPayment[] {
  const usual = purchaseSizes[farm.isClosed ? "soldOut" : "open"];
  const sizes: number[] = [];
  for (let left = farm.lotsSold; left > 0; left -= sizes.at(-1) ?? left) {
    sizes.push(Math.min(left, usual[(index + sizes.length) % usual.length] ?? 1));
  }
  const { startedDaysAgo } = farm;
  const closedDaysAgo = farm.isGivenBack
    ? startedDaysAgo - farm.durationDays
    : (farm.closedDaysAgo ?? latestPaidDaysAgo);
  const daysBetween = (startedDaysAgo - closedDaysAgo) / (sizes.length || 1);
  return sizes.map((lots, turn) => {
    const daysAgo = startedDaysAgo - daysBetween * (turn + 1);
    return { farm, user: buyers[turn] as Person, lots, status: "approved", daysAgo };
  });
}

/** Approved payments of open farms are older, so that a statement shows them. */
const latestPaidDaysAgo = 2.4;

/** The farms with something special about them, by their slugs. */
const special = {
  /** By the demo backer, beside two that they follow. */
  backed: ["layer-poultry", "oyster-mushroom-house", "broiler-house", "farm-school-classroom", "cashew-agroforestry"],
  pending: ["community-cassava", "womens-market-garden", "tractor-hire", "catfish-ponds"],
  rejected: [
    { slug: "rice-thresher", reason: "The receipt is cut off: the amount can't be read." },
    { slug: "turkey-range", reason: "The transfer has not arrived on our account." },
  ],
  pendingOfBacker: "hydroponic-lettuce",
  rejectedOfBacker: "forest-honey",
  heldByBacker: "goat-herd",
  /** Its one lot. */
  heldByOther: "ugu-vegetable-beds",
  /** Its last lots, and others wait for them. */
  waitedFor: "snail-pens",
  granted: ["dairy-cows", "organic-ginger"],
} as const;

const findFarm = (farms: SeededFarm[], slug: string): SeededFarm => {
  const farm = farms.find((one) => one.slug === slug);
  if (!farm) throw new Error(`the demo has no farm ${slug}`);
  return farm;
};

/** What people paid for each farm, some pending and rejected payments, and the demo backer's. */
function planPayments(farms: SeededFarm[], backer: Person, people: Person[]): DemoPayment[] {
  const person = (index: number) => people[(index * 7) % people.length] as Person;
  const backed = [...followedOf(farms), ...special.backed.map((slug) => findFarm(farms, slug))];
  const buyersOf = (farm: SeededFarm, index: number) => [
    ...(backed.includes(farm) ? [backer] : []),
    ...people.map((_, offset) => people[(index * 5 + offset) % people.length] as Person),
  ];
  const one = { lots: 1 };
  return [
    ...farms.flatMap((farm, index) => planPurchases(farm, index, buyersOf(farm, index))),
    ...special.pending.map((slug, index): DemoPayment => {
      const farm = findFarm(farms, slug);
      return { farm, user: person(index + 11), lots: index + 1, status: "pending", daysAgo: 0.2 + index * 0.4 };
    }),
    ...special.rejected.map(({ slug, reason }, index): DemoPayment => {
      const farm = findFarm(farms, slug);
      return { ...one, farm, user: person(index + 15), status: "rejected", daysAgo: 3 + index, reason };
    }),
    { farm: findFarm(farms, special.pendingOfBacker), user: backer, lots: 2, status: "pending", daysAgo: 0.1 },
    {
      ...one,
      farm: findFarm(farms, special.rejectedOfBacker),
      user: backer,
      status: "rejected",
      daysAgo: 6,
      reason: "The receipt shows another amount.",
    },
  ];
}

/** Lots that are held and waited for, the round that was given back, and backings without a lot. */
async function insertOpenAffairs(
  tx: Tx,
  {
    farms,
    owner,
    backer,
    people,
    now,
  }: { farms: SeededFarm[]; owner: Person; backer: Person; people: Person[]; now: Date },
): Promise<void> {
  const [first, second, third, ...others] = people.slice(-7);
  if (!first || !second || !third) throw new Error("the demo has too few people");
  const held = [
    { slug: special.heldByBacker, user: backer, lots: 2, hoursAgo: 1 },
    { slug: special.heldByOther, user: first, lots: 1, hoursAgo: 3 },
    { slug: special.waitedFor, user: second, lots: 2, hoursAgo: 5 },
  ];
  for (const { slug, ...hold } of held) await holdDemoLots(tx, { ...hold, farm: findFarm(farms, slug), now });
  await insertDemoQueue(tx, { farm: findFarm(farms, special.waitedFor), people: others, now });
  const [weighed, plain] = special.granted;
  const at = new Date(now.getTime() - 9 * dayMs);
  const weight = { naira: 200_000, reason: "Gave the land for the milking floor." };
  await grantDemoBacking(tx, { farm: findFarm(farms, weighed), user: first, owner, at, weight });
  await grantDemoBacking(tx, { farm: findFarm(farms, plain), user: third, owner, at });
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
        url: "[url]https://live.gona.example/",
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
