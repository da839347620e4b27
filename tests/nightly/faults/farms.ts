import { createHash, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { type Db, inTransaction } from "#server/db/open.ts";
import { insertTerms, setTermsVersion } from "#server/features/projects/rounds/service.ts";
import { systemClock } from "#server/platform/clock.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import type { TestUser } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import { type Plan, type Play, playOnce } from "./clients.ts";
import { newPdf } from "./connection.ts";
import type { Person } from "./prepare.ts";
import { planOf } from "./river.ts";

/** The states prepared for a run because few would reach them by chance: sold-out farms, and a round to decide. */

const lotsOfBackers = [4, 3, 3];

const halves = ["Chicks", "Feed"].map((label) => ({ label, rate: 5000, proof: "", afterDays: 0 }));

/** A farm of ten lots, whose harvest may be taken, sold or given away. It may get what is raised in two parts. */
export async function createFarm(db: Db, owner: TestUser, inSteps: boolean): Promise<number> {
  const at = systemClock.now();
  const project = await createProject(db, { lots: 10, createdAt: at, updatedAt: at });
  const key = { projectId: project.id, round: 1 };
  await inTransaction(db, async (tx) => {
    const terms = {
      ...defaultTerms(500),
      unit: "kg" as const,
      farmPartRate: 1000,
      deductibleCosts: ["Feed"],
      collectionPlace: "Moniya market, Ibadan",
      releaseParts: inSteps ? halves : [],
    };
    await insertTerms(tx, key, { terms, version: 2, writtenBy: owner.id, at });
    await setTermsVersion(tx, key, 2);
  });
  return project.id;
}

/** Three backers pay for each farm, an owner approves, and the first harvest is opened: all by the processes. */
export async function fundFarms(play: Play): Promise<void> {
  const { backers, administrators, farmIds } = play.world;
  const owner = at(administrators, 0);
  for (const [index, projectId] of farmIds.entries()) {
    for (const [place, lots] of lotsOfBackers.entries()) {
      const backer = at(backers, index + place);
      await pay(play, backer, { projectId, lots });
      await approve(play, owner, { projectId, userId: backer.user.id });
    }
    const facts = { quantity: "1,000", lostQuantity: "0", referencePrice: "2,750", note: `Harvest ${randomUUID()}` };
    await playOnce(play, owner, async () =>
      planOf("create a harvest", projectId, { note: facts.note }, ({ api }) =>
        api.harvests.create.mutate({ projectId, round: 1, ...facts }),
      ),
    );
    const [harvest] = await play.find<{ id: number; seenAt: string }>(
      sql`select id::int, updated_at::text as "seenAt" from harvests where project_id = ${projectId}`,
    );
    if (!harvest) continue;
    await playOnce(play, owner, async () =>
      planOf("open a harvest", harvest.id, {}, ({ api }) =>
        api.harvests.open.mutate({ harvestId: harvest.id, seenAt: new Date(harvest.seenAt) }),
      ),
    );
  }
}

/**
 * One round is sold in part, closed and decided. A sold-out round is decided by itself, and payments and holds come and go
 * in all others, so a run may by chance find none to decide. Throws when no project offers more lots than it needs.
 */
export async function decideOneRound(play: Play): Promise<void> {
  const owner = at(play.world.administrators, 0);
  const backer = at(play.world.backers, 0);
  const [round] = await play.find<{ projectId: number; lots: number }>(sql`
    select p.id as "projectId", r.minimum_lots as lots
    from projects p join project_rounds r on r.project_id = p.id and r.round = p.round
    where not p.is_closed and r.outcome is null and r.minimum_lots < r.lots and r.approved_lots = 0
    order by p.id limit 1`);
  if (!round) throw new Error("a run needs a project that offers more lots than it needs");
  const { projectId, lots } = round;
  await pay(play, backer, { projectId, lots });
  await approve(play, owner, { projectId, userId: backer.user.id });
  await playOnce(play, owner, async () => ({
    operation: { kind: "close", projectId },
    call: ({ api }) => api.projects.close.mutate({ projectId }),
  }));
  const decision = { outcome: "funded" as const };
  await playOnce(play, owner, async () =>
    planOf("decide a round", projectId, decision, ({ api }) =>
      api.payments.decideRound.mutate({ projectId, ...decision, seenApprovedLots: lots }),
    ),
  );
}

const at = (people: readonly Person[], index: number): Person => {
  const person = people[index % people.length];
  if (!person) throw new Error("a run needs people");
  return person;
};

async function pay(
  play: Play,
  backer: Person,
  { projectId, lots }: { projectId: number; lots: number },
): Promise<void> {
  const bytes = newPdf(200);
  const sent = { projectId, key: randomUUID(), sha256: createHash("sha256").update(bytes).digest("hex") };
  await playOnce(play, backer, async (read): Promise<Plan> => {
    await read(async ({ api }) => {
      const { terms, siteTerms } = await api.payments.open.mutate({ projectId });
      await api.payments.begin.mutate({
        projectId,
        lots,
        termsVersion: terms.version,
        siteTerms: siteTerms.sha256,
        hasReadTerms: true,
      });
    });
    return {
      operation: { kind: "submit", ...sent },
      call: ({ uploadReceipt }) => uploadReceipt({ projectId, lots, key: sent.key, bytes }),
    };
  });
}

async function approve(play: Play, owner: Person, about: { projectId: number; userId: string }): Promise<void> {
  const [payment] = await play.find<{ paymentId: number; sha256: string }>(sql`
    select p.id::int as "paymentId", r.sha256 from project_payments p
    join payment_receipts r on r.id = p.current_receipt_id
    where p.project_id = ${about.projectId} and p.user_id = ${about.userId} and p.status = 'pending'`);
  if (!payment) return;
  const { paymentId, sha256 } = payment;
  const change = { seenStatus: "pending" as const, status: "approved" as const };
  await playOnce(play, owner, async () => ({
    operation: { kind: "approve", paymentId, sha256, ...change },
    call: ({ api }) => api.payments.setStatus.mutate({ paymentId, seenReceiptSha256: sha256, ...change }),
  }));
}
