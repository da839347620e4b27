import { createHmac } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { inTransaction, rows, type Tx } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";
import { networkOf } from "#server/platform/network.ts";
import { deriveKey } from "#server/platform/secret.ts";
import { signInLimits } from "#shared/accounts/inputs.ts";

/**
 * Failed sign-ins (Product decision). Three counters in a logged table: a pair of address and device (five failures
 * lock it for 180 s), an account's unknown devices together (50 an hour), and a network address (100 in ten minutes).
 * An attempt counts as a failure before the password is checked, so that parallel guesses can't pass, and is taken back
 * if the password was right. Accounts that don't exist are counted alike.
 */

type CounterKind = "pair" | "account" | "address";
type Rule = { limit: number; windowSeconds: number; lockSeconds?: number };

const daySeconds = 86_400;
const rules: Record<CounterKind, Rule> = {
  // Failures below the limit are kept for a day.
  pair: { limit: signInLimits.maxFailures, windowSeconds: daySeconds, lockSeconds: signInLimits.lockSeconds },
  account: { limit: signInLimits.unknownDevicesPerHour, windowSeconds: 3600 },
  address: { limit: signInLimits.addressFailures, windowSeconds: signInLimits.addressWindowSeconds },
};

/**
 * The delay before a success resets the pair. Guesses sent in parallel with the right one still share the five
 * attempts.
 */
const resetDelayMs = 2000;

export type SignInSource = {
  email: string;
  ipAddress: string;
  /** The hash of a device that has signed in to this account before; null for any other. */
  knownDevice: string | null;
};

export type SignInAttempt = {
  /** The pair's failures, including this attempt. */
  failures: number;
  /** Set by the attempt that reached the limit. */
  lockedUntil: Date | null;
  keys: { pair: string; account: string | null; address: string };
};

/**
 * The attempt is refused: the pair or the account's unknown devices are locked, or (`lockedUntil` null) the network
 * address.
 */
export class SignInRefused extends Error {
  readonly lockedUntil: Date | null;
  readonly failures: number;
  /** The counter that refused, for {@link readSignInState}. */
  readonly key: string;
  constructor(key: string, row: { failures: number; until: Date }) {
    super("sign-in refused");
    this.key = key;
    this.failures = row.failures;
    this.lockedUntil = kindOf(key) === "address" ? null : row.until;
  }
}

type LockDeps = Pick<Deps, "db" | "clock" | "appSecret">;

/** Counts an attempt before its password is checked. Throws {@link SignInRefused}; a refused attempt doesn't count. */
export async function reserveSignIn(deps: LockDeps, source: SignInSource): Promise<SignInAttempt> {
  const keys = keysOf(deps, source);
  const now = deps.clock.now();
  return inTransaction(deps.db, async (tx) => {
    const pair = await count(tx, keys.pair, now);
    if (keys.account !== null) await count(tx, keys.account, now);
    await count(tx, keys.address, now);
    const { failures, lockedUntil } = pair;
    return { failures, lockedUntil, keys };
  });
}

function keysOf({ appSecret }: Pick<Deps, "appSecret">, source: SignInSource): SignInAttempt["keys"] {
  const secret = deriveKey(appSecret, "sign-in-counters");
  const keyOf = (kind: CounterKind, ...parts: string[]) =>
    `${kind}:${createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url")}`;
  const network = networkOf(source.ipAddress);
  const isKnown = source.knownDevice !== null;
  return {
    pair: keyOf("pair", source.email, source.knownDevice ?? network, isKnown ? "device" : "network"),
    account: isKnown ? null : keyOf("account", source.email),
    address: keyOf("address", network),
  };
}

/**
 * Part of a reset's transaction: a person who proved the address may sign in at once from this network, and from new
 * devices.
 * Locks elsewhere stay, and so does the network address's count.
 */
export async function forgetFailures(tx: Tx, deps: Pick<Deps, "appSecret">, source: SignInSource): Promise<void> {
  const here = keysOf(deps, { ...source, knownDevice: null });
  const ofDevice = source.knownDevice === null ? null : keysOf(deps, source).pair;
  for (const key of [here.pair, ofDevice, here.account]) {
    if (key !== null) await tx.execute(sql`delete from sign_in_counters where key = ${key}`);
  }
}

/** The password was right: takes the attempt back and resets the pair. */
export async function settleSignIn({ db, clock }: LockDeps, { keys }: SignInAttempt): Promise<void> {
  const now = clock.now();
  const reset = timestamp(new Date(now.getTime() + resetDelayMs));
  await db.execute(sql`update sign_in_counters set locked_until = null, resets_at = least(resets_at, ${reset})
    where key = ${keys.pair}`);
  await takeBack(db, [keys.account, keys.address], now);
}

/** The password could not be checked, through no fault of the person: takes the attempt back. */
export async function cancelSignIn({ db, clock }: LockDeps, { keys }: SignInAttempt): Promise<void> {
  await takeBack(db, [keys.pair, keys.account, keys.address], clock.now());
}

async function takeBack(db: Deps["db"], keys: (string | null)[], now: Date): Promise<void> {
  for (const key of keys) {
    // One row per statement: several at once could be locked in another order than reserveSignIn's, and deadlock.
    await db.execute(sql`update sign_in_counters set failures = greatest(failures - 1, 0), locked_until = null
      where key = ${key} and resets_at > ${timestamp(now)}`);
  }
}

/** The sign-in page's state after a reload. `key` is the counter of the last refusal or failure. */
export async function readSignInState(
  { db, clock }: Pick<Deps, "db" | "clock">,
  key: string,
): Promise<{ failures: number; lockedUntil: Date | null }> {
  const kind = kindOf(key);
  const row = kind && (await find(db, key, clock.now()));
  if (!row) return { failures: 0, lockedUntil: null };
  return { failures: row.failures, lockedUntil: row.failures >= rules[kind].limit ? row.until : null };
}

function kindOf(key: string): CounterKind | undefined {
  const kind = /^(pair|account|address):[\w-]{43}$/.exec(key)?.[1];
  return kind as CounterKind | undefined;
}

const timestamp = (moment: Date): SQL => sql`${moment.toISOString()}::timestamptz`;

type CountedRow = { failures: number; lockedUntil: Date | null };

async function count(tx: Tx, key: string, now: Date): Promise<CountedRow> {
  const { limit, windowSeconds, lockSeconds } = rules[kindOf(key) ?? "address"];
  const at = timestamp(now);
  const windowEnd = timestamp(new Date(now.getTime() + windowSeconds * 1000));
  const lockEnd =
    lockSeconds === undefined ? sql`null::timestamptz` : timestamp(new Date(now.getTime() + lockSeconds * 1000));
  const [counted] = await rows<{ failures: number; locked_until: string | null }>(
    tx,
    sql`insert into sign_in_counters as c (key, failures, resets_at) values (${key}, 1, ${windowEnd})
      on conflict (key) do update set
        failures = case when c.resets_at <= ${at} then 1 else c.failures + 1 end,
        locked_until = case when c.resets_at > ${at} and c.failures + 1 >= ${limit}::int then ${lockEnd} end,
        resets_at = case
          when c.resets_at <= ${at} then excluded.resets_at
          when c.failures + 1 >= ${limit}::int then coalesce(${lockEnd}, c.resets_at)
          else c.resets_at end
      where c.resets_at <= ${at} or c.failures < ${limit}::int
      returning failures, locked_until`,
  );
  if (counted) {
    return { failures: counted.failures, lockedUntil: counted.locked_until ? new Date(counted.locked_until) : null };
  }
  const row = await find(tx, key, now);
  throw new SignInRefused(key, row ?? { failures: limit, until: now });
}

async function find(db: Deps["db"] | Tx, key: string, now: Date): Promise<{ failures: number; until: Date } | null> {
  const [row] = await rows<{ failures: number; until: string }>(
    db,
    sql`select failures, coalesce(locked_until, resets_at) as until from sign_in_counters
      where key = ${key} and resets_at > ${timestamp(now)}`,
  );
  return row ? { failures: row.failures, until: new Date(row.until) } : null;
}
