import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { agreeToTerms } from "#tests/support/api-client.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import type { Bank } from "./bank.ts";
import { accountAct, bankActs, refundActs, runActs } from "./bank-acts.ts";
import type { Replica } from "./cluster.ts";
import { type Connection, connect, newPdf, outcomeOf } from "./connection.ts";
import { chooseAct, harvestActs, settlingActs } from "./harvest-acts.ts";
import type { Entry, Operation, OperationKind } from "./history.ts";
import { partActs } from "./part-acts.ts";
import type { Person, World } from "./prepare.ts";
import type { Random } from "./random.ts";
import type { Act, RiverKind } from "./river.ts";

type Call = (connection: Connection) => Promise<unknown>;
export type Plan = { operation: Operation; call: Call };

/** The play that a client takes part in. */
export interface Play {
  world: World;
  replicas: readonly Replica[];
  random: Random;
  bank: Bank;
  /** The act that people try more often than others, if any. */
  needs: RiverKind | undefined;
  /** Looks into the database; finds nothing while it is away. */
  find<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]>;
  /** Waits until the next operation may begin; false when the run is over. */
  permit(): Promise<boolean>;
  record(entry: Entry): void;
}

/** One person at work until the run is over, one operation after the other. */
export async function playClient(play: Play, person: Person): Promise<void> {
  const connections = new Map(play.replicas.map((replica) => [replica, connect(replica, person.token)]));
  const plan = person.user.isAdmin ? administrator(play, person) : backer(play, person);
  const acts = actsOf(play, person);
  while (await play.permit()) {
    const read: Reader = (question) => ask(play, connections, question);
    const isOnRiver = play.random.chance(person.user.isAdmin ? 0.8 : 0.3);
    const found = isOnRiver ? await findAct(play, person, { acts, read }) : await plan(read);
    await act(play, person, connections, found);
  }
}

/** One act of somebody, apart from all others. */
export async function playOnce(play: Play, person: Person, plan: (read: Reader) => Promise<Plan>): Promise<void> {
  const connections = new Map(play.replicas.map((replica) => [replica, connect(replica, person.token)]));
  await act(play, person, connections, await plan((question) => ask(play, connections, question)));
}

function actsOf({ bank, world }: Play, { role }: Person): Act[] {
  if (role === "backer") return [chooseAct, accountAct];
  if (role === "manager") return [...partActs, ...harvestActs];
  const { accountId } = world;
  return [
    ...bankActs(bank, accountId),
    ...refundActs,
    ...runActs(accountId),
    ...partActs,
    ...harvestActs,
    ...settlingActs,
  ];
}

/** Somebody who finds nothing to do of one kind looks for another. */
async function findAct(
  { find, random, needs }: Play,
  { user }: Person,
  { acts, read }: { acts: Act[]; read: Reader },
): Promise<Plan> {
  for (let n = 0; n < 6; n += 1) {
    const wanted = random.weighted(acts.map((it) => [it, it.weight * (it.kind === needs ? 4 : 1)] as const));
    const plan = await wanted.plan({ random, userId: user.id, find, read });
    if (plan) return plan;
  }
  return look(({ api }) => (user.isAdmin ? api.payments.list.query({}) : api.payments.listMyPending.query()));
}

/** Whatever is read on the way; undefined where it couldn't be. */
export type Reader = <T>(read: (connection: Connection) => Promise<T>) => Promise<T | undefined>;

async function ask<T>(
  play: Play,
  connections: Map<Replica, Connection>,
  read: (connection: Connection) => Promise<T>,
): Promise<T | undefined> {
  const { connection } = await someConnection(play, connections);
  return read(connection).catch(() => undefined);
}

const patienceMs = 120_000;

async function someConnection({ replicas, random }: Play, connections: Map<Replica, Connection>) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const up = replicas.filter((replica) => replica.isUp());
    const replica = up[random.below(up.length)];
    const connection = replica && connections.get(replica);
    if (connection) return { replica, connection };
    if (Date.now() > deadline) throw new Error("no process has been up for two minutes");
    await sleep(50);
  }
}

async function act(
  play: Play,
  person: Person,
  connections: Map<Replica, Connection>,
  { operation, call }: Plan,
): Promise<void> {
  for (;;) {
    const { replica, connection } = await someConnection(play, connections);
    const startedAt = Date.now();
    const facts = () => ({ operation, userId: person.user.id, replica: replica.name, startedAt, endedAt: Date.now() });
    try {
      const reply = await call(connection);
      return play.record({ ...facts(), outcome: { is: "acknowledged", reply } });
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome) return play.record({ ...facts(), outcome });
      await sleep(20);
    }
  }
}

const look = (call: Call): Plan => ({ operation: { kind: "look" }, call });
const touch: Plan = { operation: { kind: "touch" }, call: ({ api }) => api.auth.touch.mutate() };

type Sent = { projectId: number; key: string; bytes: Uint8Array<ArrayBuffer>; sha256: string };

/** A backer goes back to what was sent before about every third time, as after a lost answer. */
function backer({ world, random, find }: Play, { user }: Person): (reader: Reader) => Promise<Plan> {
  const receipts: Sent[] = [];
  const messages: Extract<Operation, { kind: "message" | "message again" }>[] = [];
  const submit = (kind: "submit" | "submit again", { bytes, ...sent }: Sent): Plan => ({
    operation: { kind, ...sent },
    call: ({ uploadReceipt }) => uploadReceipt({ projectId: sent.projectId, key: sent.key, bytes }),
  });
  const send = (operation: (typeof messages)[number]): Plan => {
    const { projectId, content, key: idempotencyKey } = operation;
    return { operation, call: ({ api }) => api.messages.send.mutate({ projectId, content, idempotencyKey }) };
  };
  const kinds: [OperationKind, number][] = [
    ["submit", 30],
    ["submit again", 14],
    ["favorite", 14],
    ["unfavorite", 10],
    ["message", 10],
    ["message again", 5],
    ["look", 12],
    ["touch", 5],
    ["hold", 10],
    ["release", 8],
    ["wait for lots", 8],
  ];

  return async (read) => {
    const projectId = random.pick(world.projectIds);
    const kind = random.weighted(kinds);
    if (kind === "submit") {
      await read(({ api }) => agreeToTerms(api, projectId));
      const bytes = newPdf(100 + random.below(4000));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const sent = { projectId, key: randomUUID(), bytes, sha256 };
      receipts.push(sent);
      return submit("submit", sent);
    }
    if (kind === "submit again" && receipts.length > 0) {
      return submit("submit again", receipts[receipts.length - 1 - random.below(Math.min(3, receipts.length))] as Sent);
    }
    if (kind === "message") {
      const mine = await read(({ api }) => api.backings.mine.query({}));
      const backed = mine?.items.map(({ id }) => id) ?? [];
      if (backed.length === 0) return look(({ api }) => api.backings.mine.query({}));
      const message = {
        projectId: random.pick(backed),
        key: randomUUID(),
        content: `How are the ponds? ${randomUUID()}`,
      };
      messages.push({ kind: "message again", ...message });
      return send({ kind: "message", ...message });
    }
    if (kind === "message again" && messages.length > 0) return send(random.pick(messages.slice(-3)));
    if (kind === "favorite")
      return { operation: { kind, projectId }, call: ({ api }) => api.favorites.add.mutate({ projectId }) };
    if (kind === "unfavorite") {
      return { operation: { kind, projectId }, call: ({ api }) => api.favorites.remove.mutate({ projectId }) };
    }
    if (kind === "hold") return { operation: { kind, projectId }, call: ({ api }) => agreeToTerms(api, projectId) };
    if (kind === "release") {
      const [held] = await find<{ id: number }>(
        sql`select project_id as id from holds where user_id = ${user.id} and state = 'live' order by random() limit 1`,
      );
      const about = { projectId: held?.id ?? projectId };
      return { operation: { kind, ...about }, call: ({ api }) => api.holds.release.mutate(about) };
    }
    if (kind === "wait for lots") {
      return { operation: { kind, projectId }, call: ({ api }) => api.holds.join.mutate({ projectId, lots: 2 }) };
    }
    if (kind === "touch") return touch;
    return look(({ api }) => api.payments.listMyPending.query());
  };
}

type Seen = { paymentId: number; status: PaymentStatus; sha256: string | null };
const decisions: Record<PaymentStatus, "approve" | "reject" | "back to pending"> = {
  approved: "approve",
  rejected: "reject",
  pending: "back to pending",
};

/** An administrator decides by a list that may be old by now, and often about what others decide on too. */
function administrator({ world, random, find }: Play, person: Person): (reader: Reader) => Promise<Plan> {
  let list: Seen[] = [];
  let edits = 0;
  const kinds: [OperationKind, number][] =
    person.role === "owner"
      ? [
          ["approve", 24],
          ["reject", 16],
          ["back to pending", 10],
          ["close", 6],
          ["reopen", 18],
          ["grant", 7],
          ["revoke", 6],
          ["message", 4],
          ["edit", 5],
          ["clone", 2],
          ["delete", 1.5],
          ["touch", 3],
        ]
      : [
          ["close", 15],
          ["reopen", 30],
          ["grant", 15],
          ["revoke", 15],
          ["message", 10],
          ["edit", 12],
          ["touch", 3],
        ];

  const refetch = async (read: Reader, wanted: PaymentStatus) => {
    const input = random.chance(0.6) ? { status: wanted } : { projectId: random.pick(world.projectIds) };
    const page = await read(({ api }) => api.payments.list.query(input));
    if (page) {
      list = page.items.map(({ id, status, receipt }) => ({ paymentId: id, status, sha256: receipt?.sha256 ?? null }));
    }
  };
  const decide = async (read: Reader, status: PaymentStatus): Promise<Plan> => {
    // Half of what isn't approved is taken back from those that were.
    const wanted = status === "approved" || random.chance(0.5) ? "pending" : "approved";
    if (list.length === 0 || random.chance(0.5)) await refetch(read, wanted);
    const others = list.filter((seen) => seen.status !== status);
    if (others.length === 0) return look(({ api }) => api.payments.list.query({}));
    const { paymentId, status: seenStatus, sha256 } = random.pick(others);
    const operation: Operation = { kind: decisions[status], paymentId, seenStatus, status, sha256 };
    const input = {
      paymentId,
      status,
      seenStatus,
      seenReceiptSha256: sha256,
      ...(status === "approved" && { unseenReason: "The backer showed the transfer." }),
      ...(status === "rejected" && { isGivenBack: random.chance(0.5) }),
    };
    return { operation, call: ({ api }) => api.payments.setStatus.mutate(input) };
  };

  return async (read) => {
    const projectId = random.pick(world.projectIds);
    const userId = random.pick(world.backers).user.id;
    const kind = random.weighted(kinds);
    if (kind === "approve") return decide(read, "approved");
    if (kind === "reject") return decide(read, "rejected");
    if (kind === "back to pending") return decide(read, "pending");
    if (kind === "close")
      return { operation: { kind, projectId }, call: ({ api }) => api.projects.close.mutate({ projectId }) };
    if (kind === "reopen")
      return { operation: { kind, projectId }, call: ({ api }) => api.projects.reopen.mutate({ projectId }) };
    if (kind === "delete") {
      // One that somebody has paid for is refused, as others' tries show.
      const [unpaid] = await find<{ id: number }>(sql`select p.id from projects p
        where not exists (select from project_payments w where w.project_id = p.id) order by p.id desc limit 1`);
      const about = { projectId: random.chance(0.7) && unpaid ? unpaid.id : projectId };
      return { operation: { kind, ...about }, call: ({ api }) => api.projects.delete.mutate(about) };
    }
    if (kind === "clone") {
      const idempotencyKey = crypto.randomUUID();
      const clone = async ({ api }: Connection) => {
        const made = await api.projects.clone.mutate({ projectId, idempotencyKey });
        world.projectIds.push(made.id);
        return made;
      };
      return { operation: { kind, projectId }, call: clone };
    }
    if (kind === "grant" || kind === "revoke") {
      const [granted] = await find<{ projectId: number; userId: string }>(
        sql`select project_id as "projectId", user_id as "userId" from project_backings
          where granted_at is not null order by random() limit 1`,
      );
      const backing = kind === "revoke" && granted && random.chance(0.7) ? granted : { projectId, userId };
      return {
        operation: { kind, ...backing },
        call: ({ api }) =>
          kind === "grant" ? api.backings.grant.mutate(backing) : api.backings.revokeGrant.mutate(backing),
      };
    }
    if (kind === "message") {
      const message = { projectId, key: randomUUID(), content: `The harvest is near. ${randomUUID()}` };
      const { key: idempotencyKey, content } = message;
      return {
        operation: { kind, ...message },
        call: ({ api }) => api.messages.send.mutate({ projectId, content, idempotencyKey }),
      };
    }
    if (kind === "edit") {
      const project = await read(({ api }) => api.projects.forEdit.query({ projectId }));
      if (!project) return touch;
      edits += 1;
      const title = `Catfish ponds ${person.user.id.slice(0, 8)} ${edits}`;
      // Another goal is refused while a payment stands on the one that is shown.
      const { idempotencyKey: _, ...form } = projectFormOf({
        title,
        fundingGoal: random.chance(0.7) ? "500,000" : "600,000",
      });
      const input = { ...form, projectId, seenUpdatedAt: project.updatedAt };
      return { operation: { kind, projectId, title }, call: ({ api }) => api.projects.update.mutate(input) };
    }
    return touch;
  };
}
