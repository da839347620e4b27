import { eq } from "drizzle-orm";
import { startSession } from "#server/accounts/sessions.ts";
import type { Db } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { notificationOptOuts } from "#server/db/schema/notifications.ts";
import { projectBackings } from "#server/db/schema/projects.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import { endOfCampaign } from "#server/features/projects/rules.ts";
import { systemClock } from "#server/platform/clock.ts";
import { sessionTimeoutKey } from "#shared/accounts/sessions.ts";
import { bankDetailKeys } from "#shared/settings/texts.ts";
import { openForMoney } from "#tests/support/keep-gona.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { createFarm } from "./farms.ts";

export interface Person {
  user: TestUser;
  role: "backer" | "owner" | "manager";
  /** The token of a session that is signed in. */
  token: string;
}

export interface World {
  backers: Person[];
  administrators: Person[];
  projectIds: number[];
  /** Those that are sold out at the beginning; among the others too. */
  farmIds: number[];
  /** The platform's bank account. */
  accountId: number;
  /** The addresses of those administrators who are mailed of receipts. */
  reviewers: string[];
}

const account = { bankName: "Test Bank", accountName: "Gona Farms Limited", accountNumber: "0123456789" };

/** Few are mailed of everything, or a run's mails would take longer than all the rest. */
const reviewerCount = 2;

/** People with their sessions, open projects, bank details: what a run begins with. */
export async function prepareWorld(
  db: Db,
  size: { backers: number; administrators: number; projects: number; farms: number },
): Promise<World> {
  const deps = { db, clock: systemClock };
  const now = systemClock.now();
  await db.insert(settings).values([
    { key: bankDetailKeys.bankName, value: account.bankName },
    { key: bankDetailKeys.accountName, value: account.accountName },
    { key: bankDetailKeys.accountNumber, value: account.accountNumber },
    { key: sessionTimeoutKey, value: "1440" },
  ]);
  const [kept] = await db
    .insert(ownAccounts)
    .values({ ...account, isActive: true })
    .returning();
  const signIn = async (user: TestUser, role: Person["role"]): Promise<Person> => {
    const kind = user.isAdmin ? "admin" : "backer";
    const token = await startSession(deps, { userId: user.id, kind, device: "Fault run", ipAddress: "127.0.0.1" });
    // A run lasts longer than a proof.
    const provedAt = new Date(now.getTime() + 86_400_000);
    await db.update(sessions).set({ provedAt }).where(eq(sessions.userId, user.id));
    return { user, role, token };
  };
  const backers: Person[] = [];
  for (let n = 0; n < size.backers; n += 1) {
    const user = await createUser(db);
    backers.push(await signIn(user, "backer"));
    if (n % 4 === 0) continue;
    const unwanted = ["admin_message", "project_closed", "project_reopened"] as const;
    await db.insert(notificationOptOuts).values(unwanted.map((kind) => ({ userId: user.id, kind, createdAt: now })));
  }
  const administrators: Person[] = [];
  for (let n = 0; n < size.administrators; n += 1) {
    const role = n % 4 === 3 ? "manager" : "owner";
    const user = await createAdmin(db, role);
    administrators.push(await signIn(user, role));
    if (n < reviewerCount) continue;
    await db.insert(notificationOptOuts).values([
      { userId: user.id, kind: "receipt_submitted", createdAt: now },
      { userId: user.id, kind: "backer_message", createdAt: now },
      { userId: user.id, kind: "second_person", createdAt: now },
    ]);
  }
  await openForMoney(db, administrators[0]?.user.id ?? "");
  const projectIds: number[] = [];
  for (let n = 0; n < size.projects; n += 1) {
    // Some run out while the run lasts, and are closed by the job.
    const endsAt = n % 20 === 19 ? new Date(now.getTime() + 120_000) : endOfCampaign(now);
    // Every other is sold in lots.
    const project = await createProject(db, {
      lots: n % 2 === 0 ? 1 : 4,
      minimumLots: n % 2 === 0 ? 1 : 2,
      endsAt,
      createdAt: now,
      updatedAt: now,
      backersCount: 1,
    });
    projectIds.push(project.id);
    const backer = backers[n % backers.length]?.user;
    const owner = administrators[0]?.user;
    if (!backer || !owner) throw new Error("a run needs backers and administrators");
    const granted = { grantedAt: now, grantedBy: owner.id, createdAt: now };
    await db.insert(projectBackings).values({ projectId: project.id, userId: backer.id, ...granted });
  }
  const farmIds: number[] = [];
  for (let n = 0; n < size.farms; n += 1) {
    const owner = administrators[0]?.user;
    if (owner) farmIds.push(await createFarm(db, owner, n % 2 === 0));
  }
  return {
    backers,
    administrators,
    projectIds: [...projectIds, ...farmIds],
    farmIds,
    accountId: kept?.id ?? 0,
    reviewers: administrators.slice(0, reviewerCount).map(({ user }) => user.email),
  };
}
