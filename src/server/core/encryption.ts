import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Texts that the database holds but must not show: AES-256-GCM, with a version before it for a later change. */
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** What was kept can't be read: damaged, moved from another row, or made with another APP_SECRET. */
export class DecryptionError extends Error {
  constructor(options?: { cause?: unknown }) {
    super("an encrypted value can't be read: it is damaged, another row's, or of another APP_SECRET", options);
    this.name = "DecryptionError";
  }
}

/** `key` has 32 bytes (deriveKey); `boundTo` names the row, so that the result opens nowhere else. */
export function encryptText(key: Buffer, boundTo: string, text: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${encrypted.toString("base64url")}`;
}

/** Throws {@link DecryptionError}. */
export function decryptText(key: Buffer, boundTo: string, sealed: string): string {
  const [given, body = "", ...rest] = sealed.split(".");
  const bytes = Buffer.from(body, "base64url");
  if (given !== version || rest.length > 0 || bytes.length < ivBytes + tagBytes) throw new DecryptionError();
  const iv = bytes.subarray(0, ivBytes);
  const tag = bytes.subarray(-tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new DecryptionError({ cause });
  }
}
