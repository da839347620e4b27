import { Buffer } from "node:buffer";
import { Secret, TOTP, URI } from "otpauth";
import { expect, test } from "vitest";
import {
  decryptTwoFactorSecret,
  encryptTwoFactorSecret,
  hashRecoveryCode,
  matchRecoveryCode,
  newRecoveryCodes,
  newTwoFactorSecret,
  otpauthUrl,
  qrDataUrl,
  qrSvg,
  verifyCode,
} from "#server/accounts/totp.ts";
import { DecryptionError } from "#server/platform/secret.ts";
import { gona } from "#tests/support/site.ts";

const owner = { appSecret: "a secret of the tests, long enough for a key", userId: "ada" };
/** The secret of RFC 6238, appendix B. */
const rfcSecret = Secret.fromLatin1("12345678901234567890").base32;
const at = (seconds: number) => new Date(seconds * 1000);
const codeAt = (secret: string, seconds: number) => new TOTP({ secret }).generate({ timestamp: seconds * 1000 });

test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("the code of RFC 6238 at %i seconds is right, in its last six digits", (seconds, eightDigits) => {
  const code = eightDigits.slice(-6);
  const step = Math.floor(seconds / 30);
  expect(verifyCode({ secret: rfcSecret, code, now: at(seconds), lastUsedStep: null })).toBe(step);
});

test("a code counts from one step before its own to one step after, to the second", () => {
  const step = 59_000_000;
  const code = codeAt(rfcSecret, step * 30);
  const verify = (seconds: number) => verifyCode({ secret: rfcSecret, code, now: at(seconds), lastUsedStep: null });
  expect(verify((step - 1) * 30 - 1)).toBeNull();
  expect(verify((step - 1) * 30)).toBe(step);
  expect(verify((step + 2) * 30 - 1)).toBe(step);
  expect(verify((step + 2) * 30)).toBeNull();
});

test("a step counts once, and no earlier one after it", () => {
  const step = 59_000_000;
  const now = at(step * 30);
  const verify = (codeStep: number, lastUsedStep: number | null) =>
    verifyCode({ secret: rfcSecret, code: codeAt(rfcSecret, codeStep * 30), now, lastUsedStep });
  expect(verify(step, step - 1)).toBe(step);
  expect(verify(step, step)).toBeNull();
  expect(verify(step - 1, step)).toBeNull();
  expect(verify(step + 1, step)).toBe(step + 1);
});

test("a code may be typed with spaces; anything but six digits is no code", () => {
  const now = at(59);
  const verify = (code: string) => verifyCode({ secret: rfcSecret, code, now, lastUsedStep: null });
  expect(verify(" 287 082 ")).toBe(1);
  for (const code of ["", "28708", "2870822", "28708é", "٢٨٧٠٨٢", "287082 OR 1=1", "000000", "-87082", "9".repeat(1e6)])
    expect(verify(code)).toBeNull();
});

test("a new secret has 20 random bytes", () => {
  const [first, second] = [newTwoFactorSecret(), newTwoFactorSecret()];
  expect(Secret.fromBase32(first).bytes).toHaveLength(20);
  expect(first).not.toBe(second);
});

test("an encrypted secret opens for its person only, and only unharmed", () => {
  const secret = newTwoFactorSecret();
  const encrypted = encryptTwoFactorSecret(owner, secret);
  expect(encrypted).not.toContain(secret);
  expect(encryptTwoFactorSecret(owner, secret)).not.toBe(encrypted);
  expect(decryptTwoFactorSecret(owner, encrypted)).toBe(secret);
  expect(() => decryptTwoFactorSecret({ ...owner, userId: "bola" }, encrypted)).toThrow(DecryptionError);
  const elsewhere = { ...owner, appSecret: "another secret, just as long as the first one" };
  expect(() => decryptTwoFactorSecret(elsewhere, encrypted)).toThrow(DecryptionError);
});

test("an encrypted secret with any byte changed, cut or left out doesn't open", () => {
  const encrypted = encryptTwoFactorSecret(owner, newTwoFactorSecret());
  const bytes = Buffer.from(encrypted.slice("v1.".length), "base64url");
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    const harmed = `v1.${changed.toString("base64url")}`;
    expect(() => decryptTwoFactorSecret(owner, harmed)).toThrow(DecryptionError);
    const cut = `v1.${bytes.subarray(0, index).toString("base64url")}`;
    expect(() => decryptTwoFactorSecret(owner, cut)).toThrow(DecryptionError);
  }
  for (const other of ["", "v1", "v1.", encrypted.replace("v1.", "v2."), `${encrypted}.x`])
    expect(() => decryptTwoFactorSecret(owner, other)).toThrow(DecryptionError);
});

test("an authenticator app reads name, address and secret from the address of the picture", () => {
  const secret = newTwoFactorSecret();
  const url = otpauthUrl({ site: gona, secret, email: "ada+farm@example.com" });
  const read = URI.parse(url);
  expect(read).toMatchObject({ issuer: "Gona", label: "ada+farm@example.com", digits: 6, period: 30 });
  expect(read.secret.base32).toBe(secret);
  expect(read.algorithm).toBe("SHA1");
});

test("the QR picture is plain shapes, whatever the text, with four modules of white around", () => {
  const svg = qrSvg('otpauth://totp/"><script>alert(1)</script>?secret=ABC');
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+" shape-rendering="crispEdges"><path fill="#fff" d="[Mhvz\d -]+"\/><path d="[Mhvz\d -]+"\/><\/svg>$/,
  );
  // The corner's finder pattern is seven modules wide.
  expect(svg).toContain('<path d="M4 4h7v1h-7z');
  expect(svg.length).toBeLessThan(12_000);
  const [start, data = ""] = qrDataUrl("text").split(",");
  expect(start).toBe("data:image/svg+xml;base64");
  expect(Buffer.from(data, "base64").toString()).toBe(qrSvg("text"));
});

test("there are ten different recovery codes of letters that nobody confuses", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}$/);
});

test("a recovery code is found however it is typed, and only among its person's hashes", () => {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(owner, code));
  const [, second = ""] = codes;
  const encrypted = encryptTwoFactorSecret(owner, newTwoFactorSecret());
  for (const typed of [second, second.toUpperCase(), second.replaceAll("-", " "), ` ${second.replaceAll("-", "")}\n`])
    expect(matchRecoveryCode(owner, typed, { hashes, encrypted })).toBe(hashes[1]);
  const unused = hashes.filter((hash) => hash !== hashes[1]);
  expect(matchRecoveryCode(owner, second, { hashes: unused, encrypted })).toBeNull();
  expect(matchRecoveryCode({ ...owner, userId: "bola" }, second, { hashes, encrypted })).toBeNull();
  for (const wrong of ["", "-", "aaaa-aaaa-aaaa", `${second}2`, second.slice(1), "a".repeat(1e6)])
    expect(matchRecoveryCode(owner, wrong, { hashes, encrypted })).toBeNull();
  expect(hashes.join()).not.toContain(second.replaceAll("-", ""));
});
