import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import type { MatchExtended, ZxcvbnFactory } from "@zxcvbn-ts/core";
import { atMost } from "#server/platform/async.ts";
import { AppError } from "#server/platform/errors.ts";
import { guessableTexts } from "#shared/accounts/password.ts";
import { errorTexts } from "#shared/errors.ts";
import type { Site } from "#shared/site/site.ts";

/**
 * Argon2id. A hash takes 19 MiB and tens of milliseconds of a thread, so only a few run at once and the queue is
 * bounded.
 * A flood of sign-ins then slows the next sign-in, not every page.
 */
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const maxRunning = Math.max(1, Math.min(4, availableParallelism()));

const maxWaiting = 200;

const inTurn = atMost(maxRunning);

/** Throws "unavailable" where too many wait already. */
async function hashing<T>(work: () => Promise<T>): Promise<T> {
  if (inTurn.waiting() >= maxRunning + maxWaiting) throw new AppError("unavailable", errorTexts.internal);
  return inTurn(work);
}

/** Keyboards encode the same letter in different ways. */
const normalised = (password: string) => password.normalize("NFKC");

export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(normalised(password), settings));
}

let nobodysHash: Promise<string> | undefined;

/**
 * Returns true if the password matches the hash. Without a hash (no such account, or none with a password) it takes as
 * long and returns false.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword(randomBytes(32).toString("base64")).catch((error: unknown) => {
    // The queue was full, so the next call tries again.
    nobodysHash = undefined;
    throw error;
  });
  const nobodys = await nobodysHash;
  const isRight = await hashing(() => verify(passwordHash ?? nobodys, normalised(password)));
  return isRight && passwordHash !== null;
}

/** The person whose password it is, and the site, whose name is as guessable as their own. */
type Person = { fullName: string; email: string; site: Pick<Site, "name" | "legalName"> };

/**
 * A check's time grows with the square of the length, and with the ways to read "4" as "a". With 40 characters and ten
 * ways the worst password takes less than 0.1 s. Further characters are ignored.
 */
const readCharacters = 40;

const readSubstitutions = 10;

/** Eight random characters are above it; eight with any pattern are below. */
const enoughGuesses = 1e8;

/** One word, or two words about the person, plus the characters added to meet the requirements. */
const fewGuesses = 1e5;

const wordCharacters = { min: 3, max: 24 };

const decorationCharacters = 8;

let loaded: Promise<ZxcvbnFactory> | undefined;

/** 230,000 words take 0.25 s and about 50 MB to load, so they wait for the first new password. */
function loadChecker(): Promise<ZxcvbnFactory> {
  loaded ??= makeChecker();
  return loaded;
}

async function makeChecker(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import("@zxcvbn-ts/core");
  const common = await import("@zxcvbn-ts/language-common");
  const english = await import("@zxcvbn-ts/language-en");
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: readSubstitutions,
    maxLength: readCharacters,
  });
}

/**
 * Refuses passwords that meet every requirement but are easy to guess: common and leaked ones, the person's name or
 * address, the site's name, a single word with a year. Throws AppError "invalid" with the reason, at the field
 * `password`.
 */
export async function refuseGuessable(password: string, person: Person): Promise<void> {
  const text = await findGuessableFault(password, person);
  if (text) throw new AppError("invalid", text, { fields: { password: [text] } });
}

/** Returns the reason why the password is guessable, as a text for the person, or null. */
export async function findGuessableFault(password: string, { fullName, email, site }: Person): Promise<string | null> {
  const checker = await loadChecker();
  const [ofSite, personal] = [wordsOf(site.name, site.legalName ?? ""), wordsOf(fullName, email)];
  const look = (text: string) => checker.check(text, [...ofSite, ...personal]);
  const given = plain(password).slice(0, readCharacters);
  const whole = look(given);
  const core = /\p{L}(?:.*\p{L})?/su.exec(given)?.[0] ?? "";
  const bare = core.replace(/[\s._-]/g, "").toLowerCase();
  const isWord = bare.length >= wordCharacters.min && bare.length <= wordCharacters.max;
  const word = isWord && given.length - core.length <= decorationCharacters ? look(bare) : null;
  if (word && word.guesses < fewGuesses && word.sequence.every(({ pattern }) => pattern !== "bruteforce")) {
    return reasonOf(word.sequence, ofSite);
  }
  return whole.guesses < enoughGuesses ? reasonOf(whole.sequence, ofSite) : null;
}

/** Keyboards encode the same letter in different ways, and people leave accents out: "Ọlá" is "Ola". */
const plain = (text: string) => text.normalize("NFKC").normalize("NFD").replace(/\p{M}/gu, "");

/** Each text whole, without its spaces and punctuation, and each of its words. */
function wordsOf(...texts: string[]): string[] {
  const words = texts.flatMap((text) => {
    const whole = plain(text).toLowerCase().slice(0, readCharacters);
    const parts = whole.split(/[^\p{L}\p{N}]+/u);
    return [whole, parts.join(""), whole.split("@")[0] ?? "", ...parts];
  });
  return [...new Set(words)].filter((word) => word.length >= wordCharacters.min);
}

const patterns = ["repeat", "sequence", "spatial", "date", "wordSequence"];

function reasonOf(sequence: MatchExtended[], site: string[]): string {
  const found = sequence.filter(({ dictionaryName }) => dictionaryName === "userInputs");
  if (found.some(({ matchedWord }) => !site.includes(matchedWord))) return guessableTexts.personal;
  if (found.length > 0) return guessableTexts.site;
  if (sequence.some(({ dictionaryName }) => dictionaryName === "passwords-common")) return guessableTexts.common;
  return sequence.some(({ pattern }) => patterns.includes(pattern)) ? guessableTexts.pattern : guessableTexts.word;
}
