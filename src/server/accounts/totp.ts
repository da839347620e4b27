import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { HOTP, Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import type { Deps } from "#server/platform/deps.ts";
import { DecryptionError, decryptText, deriveKey, encryptText } from "#server/platform/secret.ts";
import type { Site } from "#shared/site/site.ts";

/**
 * The second factor: time-based codes (RFC 6238) of authenticator apps, and recovery codes for a lost phone. This file
 * doesn't access the database; callers store the last step and the used codes.
 */
const totp = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const secretBytes = 20;
/** One step before and one after, for phones with a slightly wrong clock and for slow typing. */
const toleratedSteps = [-1, 0, 1];

/** The person who has the factor. An encrypted secret or a hashed code is invalid in another person's row. */
export type FactorOwner = Pick<Deps, "appSecret"> & { userId: string };

/** A new secret in base32, for typing where the QR code can't be scanned. */
export function newTwoFactorSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** For two_factors.encrypted_secret. */
export function encryptTwoFactorSecret({ appSecret, userId }: FactorOwner, secret: string): string {
  return encryptText(deriveKey(appSecret, "two-factor-secret"), userId, secret);
}

/** Throws DecryptionError. */
export function decryptTwoFactorSecret(owner: FactorOwner, encrypted: string): string {
  return openFactor(owner, encrypted).secret;
}

/**
 * The encrypted text: the app's secret, followed by one key per rotation of APP_SECRET, with which the recovery codes
 * of that time were hashed. Codes are shown only once, so they can't be hashed again.
 */
function openFactor({ appSecret, userId }: FactorOwner, encrypted: string): { secret: string; codeKeys: Buffer[] } {
  const [secret = "", ...keys] = decryptText(deriveKey(appSecret, "two-factor-secret"), userId, encrypted).split(".");
  return { secret, codeKeys: keys.map((key) => Buffer.from(key, "base64url")) };
}

/**
 * Re-encrypts the factor with another APP_SECRET, `to`, so that its recovery codes stay valid. Null if it already is.
 * Throws DecryptionError if neither secret decrypts it.
 */
export function reencryptFactor(
  { from, to, userId }: { from: string; to: string; userId: string },
  encrypted: string,
): string | null {
  if (opensWith({ appSecret: to, userId }, encrypted)) return null;
  const { secret, codeKeys } = openFactor({ appSecret: from, userId }, encrypted);
  const keys = [...codeKeys, deriveKey(from, codeKeyPurpose)].map((key) => key.toString("base64url"));
  return encryptTwoFactorSecret({ appSecret: to, userId }, [secret, ...keys].join("."));
}

function opensWith(owner: FactorOwner, encrypted: string): boolean {
  try {
    openFactor(owner, encrypted);
    return true;
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}

/** The URL in the QR code that authenticator apps read. */
export function otpauthUrl({ site, secret, email }: { site: Site; secret: string; email: string }): string {
  return new TOTP({ ...totp, issuer: site.name, label: email, secret }).toString();
}

/** A QR code as a plain SVG, with the four white modules around it that scanners expect. */
export function qrSvg(text: string): string {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => darkRuns(row).map(({ x, width }) => `M${x} ${y}h${width}v1h-${width}z`));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${path.join("")}"/></svg>`
  );
}

/** The same QR code as an image's `src`. */
export function qrDataUrl(text: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(qrSvg(text)).toString("base64")}`;
}

function darkRuns(row: boolean[]): { x: number; width: number }[] {
  const runs: { x: number; width: number }[] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (isDark && last && last.x + last.width === x) last.width += 1;
    else if (isDark) runs.push({ x, width: 1 });
  }
  return runs;
}

/**
 * The time step of the code, or null. A step counts once: the caller stores it in one statement, on condition that the
 * stored one is lower. `lastUsedStep` is the stored one.
 */
export function verifyCode({
  secret,
  code,
  now,
  lastUsedStep,
}: {
  secret: string;
  code: string;
  now: Date;
  lastUsedStep: number | null;
}): number | null {
  const digits = code.length <= 20 ? code.replace(/\s/g, "") : "";
  if (!/^\d{6}$/.test(digits)) return null;
  const key = Secret.fromBase32(secret);
  const current = Math.floor(now.getTime() / 1000 / totp.period);
  let accepted: number | null = null;
  for (const step of toleratedSteps.map((offset) => current + offset)) {
    const wanted = HOTP.generate({ secret: key, algorithm: totp.algorithm, digits: totp.digits, counter: step });
    // Every step is compared, so that the time doesn't reveal which one fits.
    const fits = timingSafeEqual(Buffer.from(digits), Buffer.from(wanted));
    if (fits && (lastUsedStep === null || step > lastUsedStep)) accepted = step;
  }
  return accepted;
}

const recoveryCodeCount = 10;
/** Without 0, 1, i, l and o, which are easily confused when copied by hand. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const groups = [4, 4, 4];

/** Ten different codes like "k7mq-2xvd-9hpt", of about 59 bits each. They are shown once. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < recoveryCodeCount) codes.add(groups.map(randomLetters).join("-"));
  return [...codes];
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** For recovery_codes.code_hash. The hash is keyed, so that a copied table alone can't be searched. */
export function hashRecoveryCode({ appSecret, userId }: FactorOwner, code: string): string {
  return hashUnder(deriveKey(appSecret, codeKeyPurpose), userId, code);
}

const codeKeyPurpose = "recovery-codes";

function hashUnder(key: Buffer, userId: string, code: string): string {
  const normalised = code.toLowerCase().replace(/[\s-]/g, "");
  return createHmac("sha256", key)
    .update(JSON.stringify([userId, normalised]))
    .digest("base64url");
}

/**
 * The hash that the typed code matches, among the person's unused ones; null for none. `encrypted` is the person's
 * factor, which holds the keys that rotations of APP_SECRET left behind.
 */
export function matchRecoveryCode(
  owner: FactorOwner,
  code: string,
  { hashes, encrypted }: { hashes: string[]; encrypted: string },
): string | null {
  if (code.length > 40) return null;
  const earlier = opensWith(owner, encrypted) ? openFactor(owner, encrypted).codeKeys : [];
  let found: string | null = null;
  for (const key of [deriveKey(owner.appSecret, codeKeyPurpose), ...earlier]) {
    const given = Buffer.from(hashUnder(key, owner.userId, code));
    for (const hash of hashes) {
      const kept = Buffer.from(hash);
      if (kept.length === given.length && timingSafeEqual(kept, given)) found = hash;
    }
  }
  return found;
}
