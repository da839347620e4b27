import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { startSession } from "#server/accounts/sessions.ts";
import { rows } from "#server/db/open.ts";
import { holds } from "#server/db/schema/holds.ts";
import { projects } from "#server/db/schema/projects.ts";
import { sessions } from "#server/db/schema/sessions.ts";
import { settings } from "#server/db/schema/settings.ts";
import type { ErrorBody } from "#server/http/errors.ts";
import { nairaToKobo } from "#shared/money.ts";
import { holdHoursKey, maxTransferKey, settingDefaults, vatKey, withholdingKey } from "#shared/settings/texts.ts";
import { keepOwnAccount, type line } from "#tests/support/bank-imports.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { emptyDatabase } from "#tests/support/empty-database.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { type Caller, type CookieJar, callAs, cookieJar, createUser, giveRole } from "#tests/support/people.ts";
import { createFarm, createProject } from "#tests/support/projects.ts";
import { newProject } from "./projects.ts";
import type { Ids } from "./shown.ts";
import { type Answer, at, type Model, newPerson, Pairs } from "./state.ts";

/** The real marketplace of one run, by the same places in lists as the model's. */

type Member = { email: string; jar: CookieJar; caller: Caller };

/** The id of a farm that doesn't exist. */
const unknownId = 999_999;

export class Real {
  readonly deps: TestDeps;
  readonly app: FastifyInstance;
  readonly ids: Ids = { people: [], projects: [], farms: [], payments: [] };
  readonly members: Member[] = [];
  /** When each project was changed last as it was new: what an editor's form holds who filled it then. */
  readonly firstUpdates: Date[] = [];
  /** The first answer to each person's key. */
  readonly replies = new Map<string, Record<string, unknown>>();
  /** The hashes of each run's files, as its first export gave them. */
  readonly files = new Map<number, string>();
  /** The lines as the bank told them. */
  readonly truths: ReturnType<typeof line>[] = [];
  /** The platform's only bank account. */
  accountId = 0;
  readonly #ipAddress: string;
  readonly #receipts = new Map<string, number>();

  constructor(deps: TestDeps, app: FastifyInstance, run: number) {
    this.deps = deps;
    this.app = app;
    this.#ipAddress = `10.${(run >> 16) & 255}.${(run >> 8) & 255}.${run & 255}`;
  }

  async visitor(): Promise<{ jar: CookieJar; caller: Caller }> {
    const jar = cookieJar();
    return { jar, caller: await callAs(this.deps, "anonymous", { jar, ipAddress: this.#ipAddress }) };
  }

  async addMember(id: string, email: string, from?: { jar: CookieJar; caller: Caller }): Promise<void> {
    this.ids.people.push(id);
    this.members.push({ email, ...(from ?? (await this.visitor())) });
  }

  async addProject(id: number): Promise<number> {
    const [found] = await this.deps.db
      .select({ updatedAt: projects.updatedAt })
      .from(projects)
      .where(eq(projects.id, id));
    this.firstUpdates.push(found?.updatedAt ?? new Date(0));
    return this.ids.projects.push(id) - 1;
  }

  member = (person: number) => at(this.members, person);
  as = (person: number) => this.member(person).caller;
  personId = (person: number) => at(this.ids.people, person);
  projectId = (project: number) => at(this.ids.projects, project);
  farmId = (farm: number | null) => (farm === null ? unknownId : at(this.ids.farms, farm));
  paymentId = (payment: number) => at(this.ids.payments, payment);

  /** The place of a payment; a new one takes the next. */
  paymentOf(id: number): number {
    const known = this.ids.payments.indexOf(id);
    return known < 0 ? this.ids.payments.push(id) - 1 : known;
  }

  /** A PDF's first and last words are what the server looks at. */
  bytesOf = (receipt: number) => Buffer.from(`%PDF-1.7\n% receipt ${receipt}\n%%EOF\n`);
  hashOf(receipt: number): string {
    const hash = createHash("sha256").update(this.bytesOf(receipt)).digest("hex");
    this.#receipts.set(hash, receipt);
    return hash;
  }
  receiptOf = (hash: string) => this.#receipts.get(hash) ?? -1;

  /** Sends a receipt as the browser does. */
  async upload(person: number, fields: Record<string, string>, receipt: number): Promise<Record<string, unknown>> {
    this.hashOf(receipt);
    const file = new File([Uint8Array.from(this.bytesOf(receipt))], "receipt.pdf");
    return this.sendFile(person, { url: "/uploads/receipts", fields, file });
  }

  /** Sends a file with the fields of its form. Throws what the server refuses, as a call does. */
  async sendFile(
    person: number,
    { url, fields, file }: { url: string; fields: Record<string, string>; file: File },
  ): Promise<Record<string, unknown>> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", file);
    const body = new Response(form);
    const answer = await this.app.inject({
      method: "POST",
      url,
      headers: {
        origin: this.deps.env.publicUrl,
        "x-upload": "1",
        "content-type": body.headers.get("content-type") ?? "",
      },
      cookies: Object.fromEntries(this.member(person).jar.values),
      payload: Buffer.from(await body.arrayBuffer()),
    });
    if (answer.statusCode === 200) return answer.json();
    const { reason, message } = answer.json<ErrorBody>().error;
    throw Object.assign(new Error(message), { cause: { reason } });
  }

  /** Downloads a file that only some people may. */
  async readFile(person: number, url: string): Promise<void> {
    const cookies = Object.fromEntries(this.member(person).jar.values);
    const answer = await this.app.inject({ method: "GET", url, cookies });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  }

  /** The id of a row, by its place among all of its table. */
  async nthId(
    table:
      | ("statements" | "statement_lines" | "line_matches" | "refunds" | "payouts" | "payout_runs")
      | (
          | "project_payments"
          | "holder_changes"
          | "harvests"
          | "harvest_costs"
          | "harvest_sales"
          | "settlements"
          | "farm_releases"
          | "round_returns"
          | "release_asks"
        ),
    index: number,
  ): Promise<number> {
    const [row] = await rows<{ id: number }>(
      this.deps.db,
      sql`select id::float8 as id from ${sql.identifier(table)} order by id offset ${index} limit 1`,
    );
    if (!row) throw new Error(`no row at ${index} of ${table}`);
    return row.id;
  }

  /** The id of a hold: those of a project are known by their order. */
  async holdId(model: Readonly<Model>, index: number): Promise<number> {
    const { project } = at(model.holds, index);
    const before = model.holds.slice(0, index).filter((it) => it.project === project).length;
    const ofProject = await this.deps.db
      .select({ id: holds.id })
      .from(holds)
      .where(eq(holds.projectId, this.projectId(project)))
      .orderBy(holds.id);
    return at(ofProject, before).id;
  }

  /** Hours go by, and everybody is back in time: who is signed in stays so. */
  async passHours(hours: number): Promise<void> {
    this.deps.clock.advance({ hours });
    const now = this.deps.clock.now();
    await this.deps.db.update(sessions).set({ createdAt: now, lastActivityAt: now });
  }
}

/** Returns the answer of a real call, in the model's words. */
export async function answerOfCall(call: Promise<Record<string, unknown> | undefined>): Promise<Answer> {
  try {
    return { done: (await call) ?? {} };
  } catch (error) {
    const cause: unknown = error instanceof Error ? error.cause : undefined;
    const reason: unknown =
      cause instanceof Error || typeof cause === "object" ? Reflect.get(cause ?? {}, "reason") : 0;
    if (!(error instanceof Error) || typeof reason !== "string") throw error;
    return { refused: { reason: reason as never, message: shortOf(error.message) } };
  }
}

/** References of payouts are drawn at random, so that refusals which name one are told by what they say of it. */
function shortOf(message: string): string {
  if (message.startsWith("A debit of ")) return "debit";
  if (message.includes("the statements miss something")) return "gap";
  if (message.startsWith("This takes a second person.")) return "takes two";
  if (message.endsWith("to open the harvest all the same.")) return "unseen";
  if (!/^(The account of )?GP-/.test(message)) return message;
  if (message.includes("isn't on its way any more")) return "on its way";
  if (message.includes("is withheld")) return "withheld";
  if (message.includes("can be paid to from")) return "rests";
  if (message.includes("is blocked. Two owners")) return "blocked";
  return message.includes("was changed after") ? "changed" : message;
}

/**
 * Three backers, one administrator of each role, and two open projects of one farm, which has one account for both. One
 * of the backers keeps the farm.
 */
export const cast = { backers: 3, manager: 3, viewer: 4, owner: 5, keeper: 1 };

let runs = 0;

export async function beginRun(
  deps: TestDeps,
  app: FastifyInstance,
  {
    holdHours,
    hasTwoOwners = false,
    isTaxed = false,
  }: { holdHours: number; hasTwoOwners?: boolean; isTaxed?: boolean },
): Promise<{ model: Model; real: Real }> {
  runs += 1;
  await emptyDatabase(deps.db);
  for await (const { key } of deps.storage.list()) await deps.storage.remove(key);
  deps.clock.set(new Date("2026-11-21T09:00:00.000Z"));
  const accountId = await keepOwnAccount(deps.db);
  await deps.db
    .update(settings)
    .set({ value: String(holdHours) })
    .where(eq(settings.key, holdHoursKey));
  const real = new Real(deps, app, runs);
  real.accountId = accountId;
  const lists = { people: [], projects: [], payments: [], submits: [], invites: [], audit: [], holds: [], waiting: [] };
  const maxTransferKobo = nairaToKobo(Number(settingDefaults[maxTransferKey]));
  const bank = {
    lines: [],
    statements: [],
    openedOn: null,
    matches: [],
    refunds: [],
    payouts: [],
    accounts: [],
    runs: [],
    maxTransferKobo,
  };
  const harvests = {
    backings: [],
    roundWeights: [],
    backingWeights: [],
    asks: [],
    skips: [],
    releases: [],
    returns: [],
    harvests: [],
    costs: [],
    sales: [],
    settlements: [],
    papers: [],
    strikes: [],
    takenOut: [],
    changes: [],
    unseen: [],
    undone: [],
  };
  const rates = isTaxed ? { vatRate: 750, whtRate: 500 } : { vatRate: 0, whtRate: 0 };
  const percents = [
    { key: vatKey, value: "7.5" },
    { key: withholdingKey, value: "5" },
  ];
  if (isTaxed) await deps.db.insert(settings).values(percents);
  const pairs = { grants: new Pairs(), favorites: new Pairs() };
  const now = deps.clock.now().getTime();
  const model: Model = { now, holdHours, ...lists, ...pairs, ...bank, ...harvests, ...rates, references: [] };
  const manager = hasTwoOwners ? ("owner" as const) : ("manager" as const);
  for (const role of [null, null, null, manager, "viewer", "owner"] as const) {
    const fullName = `${role ?? "backer"} ${model.people.length}`;
    const user = await createUser(deps.db, { fullName, isAdmin: role !== null });
    if (role) await giveRole(deps.db, user.id, role);
    await real.addMember(user.id, user.email);
    const kind = role ? "admin" : "backer";
    const token = await startSession(deps, { userId: user.id, kind, device: "Test", ipAddress: "203.0.113.7" });
    real.member(model.people.length).jar.set("session", token, { sameSite: "lax", httpOnly: true });
    model.people.push(newPerson(user.email, fullName, role ? { isAdmin: true, roles: [role] } : {}));
  }
  const farm = await createFarm(deps.db);
  real.ids.farms.push(farm.id);
  await createFarmPerson(deps.db, farm.id, "keeper", { id: real.personId(cast.keeper) });
  for (const [title, { goalKobo, ...offer }] of [
    ["Catfish ponds", { goalKobo: 50_000_000n, lots: 4, minimumLots: 2 }],
    ["Snail pens", { goalKobo: 30_000_000n, lots: 1, minimumLots: 1 }],
  ] as const) {
    const run = { farmId: farm.id, creator: farm.name };
    const { id } = await createProject(deps.db, { title, fundingGoalKobo: goalKobo, ...offer, ...run });
    await real.addProject(id);
    model.projects.push(newProject(title, { goalKobo, ...offer }, model.now + 30 * 86_400_000, 0));
  }
  return { model, real };
}
