import { createHmac, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import type { Tx } from "#server/db/open.ts";
import { usedChallenges } from "#server/db/schema/sessions.ts";
import { humanCheckTexts } from "#shared/accounts/human-check-texts.ts";
import type { Deps } from "./deps.ts";
import { AppError } from "./errors.ts";
import { deriveKey } from "./secret.ts";

/**
 * The human check of public forms (Product decision): a sum of two numbers from 1 to 10, signed by the server.
 * A question can be answered for ten minutes and passes one form. The challenge contains neither the numbers nor their
 * sum, only a MAC of it, so that only the server can compare.
 */
const lifetimeMs = 600_000;
const smallest = 1;
const largest = 10;

type Question = {
  first: number;
  second: number;
  /** Sent back with the answer. */
  challenge: string;
};

/** Returns a new question. Each ticking of the box requests one. */
export function askHumanCheck({ appSecret, clock }: Pick<Deps, "appSecret" | "clock">): Question {
  const [first, second] = [randomInt(smallest, largest + 1), randomInt(smallest, largest + 1)];
  const id = randomUUID();
  const sealed = macOf(appSecret, "human-check-answer", [id, first + second]);
  const payload = [id, clock.now().getTime() + lifetimeMs, sealed.toString("base64url")].join(".");
  const signature = macOf(appSecret, "human-check", [payload]);
  return { first, second, challenge: `${payload}.${signature.toString("base64url")}` };
}

/**
 * Checks the answer inside the form's transaction. "passed" uses the question up. "wrong" leaves it open for another
 * try.
 * "expired" means that the question is too old, already used, or not issued by this server.
 */
export async function passHumanCheck(
  tx: Tx,
  { appSecret, clock }: Pick<Deps, "appSecret" | "clock">,
  { challenge, answer }: { challenge: string; answer: string },
): Promise<"passed" | "wrong" | "expired"> {
  const [, payload, signature] = /^([\w-]{36}\.\d{1,15}\.[\w-]{43})\.([\w-]{43})$/.exec(challenge) ?? [];
  if (payload === undefined || signature === undefined) return "expired";
  if (!isMac(signature, macOf(appSecret, "human-check", [payload]))) return "expired";
  const [id = "", expiresAt, sealed = ""] = payload.split(".");
  if (clock.now().getTime() >= Number(expiresAt)) return "expired";
  if (!/^\d{1,4}$/.test(answer.trim())) return "wrong";
  if (!isMac(sealed, macOf(appSecret, "human-check-answer", [id, Number(answer)]))) return "wrong";
  const used = await tx
    .insert(usedChallenges)
    .values({ id, expiresAt: new Date(Number(expiresAt)) })
    .onConflictDoNothing()
    .returning({ id: usedChallenges.id });
  return used.length > 0 ? "passed" : "expired";
}

/**
 * Like {@link passHumanCheck}, but throws: a wrong answer with the form's text, or an expired question with
 * details.humanCheck, at which the page requests a new one.
 */
export async function requireHuman(
  tx: Tx,
  deps: Pick<Deps, "appSecret" | "clock">,
  { challenge, humanVerification }: { challenge: string; humanVerification: string },
  wrongText: string,
): Promise<void> {
  const outcome = await passHumanCheck(tx, deps, { challenge, answer: humanVerification });
  if (outcome === "passed") return;
  const text = outcome === "wrong" ? wrongText : humanCheckTexts.expired;
  throw new AppError("invalid", text, { fields: { humanVerification: [text] }, details: { humanCheck: outcome } });
}

function macOf(secret: string, purpose: string, parts: (string | number)[]): Buffer {
  return createHmac("sha256", deriveKey(secret, purpose)).update(JSON.stringify(parts)).digest();
}

const isMac = (given: string, wanted: Buffer): boolean => timingSafeEqual(Buffer.from(given, "base64url"), wanted);
