import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#server/core/errors.ts";
import { errorTexts } from "#shared/errors.ts";

/**
 * Argon2id. A hash takes 19 MiB and tens of milliseconds of a thread, so only a few run at once and a bounded
 * number waits: a flood of sign-ins slows the next sign-in, not every page.
 */
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const maxRunning = Math.max(1, Math.min(4, availableParallelism()));
const maxWaiting = 200;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting) throw new AppError("unavailable", errorTexts.internal);
    // Whoever finishes hands its place over, so `running` already counts us.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Keyboards write the same letter in different ways. */
const normalised = (password: string) => password.normalize("NFKC");

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalised(password), settings));
}

let nobodysHash: Promise<string> | undefined;

/**
 * Whether the password is the one behind the hash. Without a hash (no such account, or one without a password) it takes
 * as long and says no.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword(randomBytes(32).toString("base64")).catch((error: unknown) => {
    // Refused by a full queue: the next look tries again.
    nobodysHash = undefined;
    throw error;
  });
  const nobodys = await nobodysHash;
  const isRight = await inTurn(() => verify(passwordHash ?? nobodys, normalised(password)));
  return isRight && passwordHash !== null;
}
