import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { databaseErrorOf } from "#server/db/errors.ts";
import type { Db } from "#server/db/open.ts";

const COMMIT = "commit";

/** A connection whose statements wait until the test lets them go, one by one: a commit counts as one. */
export class Stepper {
  readonly db: Db;
  /** The statements that it has sent so far. */
  readonly sent: string[] = [];
  isDone = true;
  deadlocks = 0;
  readonly #client: postgres.Sql;
  readonly #observer: postgres.Sql;
  readonly #pid: number;
  readonly #waiting: { statement: string; release: () => void }[] = [];
  #isFree = true;
  #isSending = false;

  private constructor(client: postgres.Sql, observer: postgres.Sql, pid: number) {
    this.#client = client;
    this.#observer = observer;
    this.#pid = pid;
    this.db = drizzle(this.#holding(client));
  }

  /** `observer` sees who waits for whom. */
  static async open(url: string, observer: postgres.Sql): Promise<Stepper> {
    const settings = { application_name: "gona-step", deadlock_timeout: 50, statement_timeout: 60_000 };
    const client = postgres(url, { max: 1, max_lifetime: null, onnotice: () => {}, connection: settings });
    const [own] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return new Stepper(client, observer, own?.pid ?? 0);
  }

  close = () => this.#client.end();

  /** The statement that is held back: of several that the work would send together, the first. */
  get held(): string | null {
    return this.#isSending ? null : (this.#waiting[0]?.statement ?? null);
  }

  /** Begins the work and stops it before its first statement. What becomes of it is the caller's. */
  async begin<Result>(work: () => Promise<Result>): Promise<{ result: Promise<Result> }> {
    this.sent.length = 0;
    this.#isSending = false;
    this.isDone = false;
    this.#isFree = false;
    const result = work().finally(() => {
      this.isDone = true;
      this.#isFree = true;
    });
    result.catch(() => {});
    await this.settle();
    return { result };
  }

  /** Sends the statement that is held, and looks what becomes of it: true where it waits for another connection. */
  async step(): Promise<boolean> {
    const next = this.#waiting.shift();
    if (next) {
      this.sent.push(next.statement);
      this.#isSending = next.statement !== COMMIT;
      next.release();
    }
    return this.settle();
  }

  /** Gives false as soon as the next statement is held or the work is over, true once it waits for another connection. */
  async settle(): Promise<boolean> {
    for (let look = 0; ; look += 1) {
      if (this.held !== null || this.isDone) return false;
      // Most statements take no time: first let them.
      await (look < 2 ? new Promise(setImmediate) : sleep(1));
      if (look < 6 || this.held !== null || this.isDone) continue;
      const [found] = await this.#observer<{ waits: boolean }[]>`
        select cardinality(pg_blocking_pids(${this.#pid})) > 0 as waits`;
      if (found?.waits && this.held === null && !this.isDone) return true;
    }
  }

  async #hold(statement: string): Promise<void> {
    if (this.#isFree) return;
    await new Promise<void>((release) => this.#waiting.push({ statement, release }));
  }

  /** The same client, asking first. postgres.js sends a query by its handler, once somebody awaits it. */
  #holding<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
    return new Proxy(client, {
      get: (target, name) => {
        if (name === "unsafe") return (...call: Parameters<Client["unsafe"]>) => this.#heldQuery(target, call);
        if (name === "begin") return (run: Run) => this.#heldTransaction(target as postgres.Sql, run);
        return Reflect.get(target, name);
      },
    });
  }

  #heldQuery(client: postgres.Sql | postgres.TransactionSql, call: Parameters<postgres.Sql["unsafe"]>) {
    // The driver's queries have a handler, which its types don't say.
    const query = client.unsafe(...call) as unknown as { handler: (query: Promise<unknown>) => void };
    const { handler } = query;
    const hasAnswered = () => {
      this.#isSending = false;
    };
    query.handler = (self) =>
      void this.#hold(call[0]).then(() => {
        handler(self);
        self.then(hasAnswered, hasAnswered);
      });
    return query;
  }

  async #heldTransaction(client: postgres.Sql, run: Run): Promise<unknown> {
    try {
      return await client.begin(async (tx) => {
        const result = await run(this.#holding(tx));
        await this.#hold(COMMIT);
        return result;
      });
    } catch (error) {
      if (databaseErrorOf(error)?.code === "40P01") this.deadlocks += 1;
      throw error;
    }
  }
}

type Run = (tx: postgres.TransactionSql) => Promise<unknown>;
