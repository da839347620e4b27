import { createHash } from "node:crypto";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Deps, FileStorage } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { errorTexts } from "#shared/errors.ts";
import { type FileKind, type FileRule, fileRules, isHeic, uploadTexts } from "#shared/files.ts";
import { contentTypeOf, mayBeAccepted, SAMPLE_BYTES } from "./content.ts";
import { newFileKey } from "./storage.ts";

export type ReceivedFile = {
  key: string;
  /** The uploaded bytes' hash, as hex. */
  sha256: string;
  bytes: number;
  /** Detected from the content. */
  contentType: string;
  /** The sender's file name without folders and control characters, for display and downloads only. */
  originalName: string;
};

type ReceivedForm = {
  /** The form's text fields. */
  fields: Record<string, string>;
  file: ReceivedFile | null;
};

// Fields are ids and keys unless a route allows more. The body's overhead around the file is small.
const FIELD_BYTES = 4096;

const MAX_FIELDS = 10;

const FORM_BYTES = 128 * 1024;

/**
 * Streams the one file of a multipart request to the storage; hashes, counts and checks it on the way.
 * Throws AppError "invalid" with the kind's texts (fields: { file }), and stores nothing on any failure.
 * The caller removes the file if a later step (the database) fails.
 */
export async function receiveUpload(
  request: FastifyRequest,
  options: UploadOptions,
): Promise<ReceivedFile & { fields: Record<string, string> }> {
  const { fields, file } = await receiveForm(request, options);
  if (file === null) throw refusal(fileRules[options.kind].texts.missing);
  return { ...file, fields };
}

type UploadOptions = {
  kind: FileKind;
  storage: FileStorage;
  /** The maximum length of a text field, if the form has more than ids and keys. */
  fieldBytes?: number;
};

/** Like {@link receiveUpload}, for a form whose file is optional. */
export async function receiveForm(
  request: FastifyRequest,
  { kind, storage, fieldBytes = FIELD_BYTES }: UploadOptions,
): Promise<ReceivedForm> {
  const rule = fileRules[kind];
  const key = newFileKey(kind);
  try {
    if (Number(request.headers["content-length"] ?? 0) > rule.maxBytes + FORM_BYTES) throw refusal(rule.texts.size);
    const limits = { maxBytes: rule.maxBytes, fieldBytes };
    return await receiveParts(request, limits, (file) => storeFile(file, { rule, key, storage }));
  } catch (error) {
    await discardUpload({ log: request.log, storage }, key);
    throw asRefusal(error);
  }
}

/** A file that is read at once and not stored. */
export type ReadFile = Pick<ReceivedFile, "sha256" | "bytes" | "originalName"> & {
  /** In memory of its own, so that it can be given to another thread. */
  content: Uint8Array<ArrayBuffer>;
};

/** Reads the one file of a multipart request into memory. Throws AppError "invalid" as {@link receiveUpload} does. */
export async function receiveInMemory(
  request: FastifyRequest,
  {
    maxBytes,
    texts,
    fieldBytes,
  }: Pick<FileRule, "maxBytes"> & { texts: Omit<FileRule["texts"], "type">; fieldBytes: number },
): Promise<{ fields: Record<string, string>; file: ReadFile }> {
  try {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes + FORM_BYTES) throw refusal(texts.size);
    const limits = { maxBytes, fieldBytes };
    const { fields, file } = await receiveParts(request, limits, (part) => collectFile(part, texts));
    if (file === null) throw refusal(texts.missing);
    return { fields, file };
  } catch (error) {
    throw asRefusal(error);
  }
}

async function collectFile(file: MultipartFile["file"], texts: { size: string }) {
  file.once("limit", () => file.destroy(refusal(texts.size)));
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  if (file.truncated) throw refusal(texts.size);
  const bytes = chunks.reduce((total, { length }) => total + length, 0);
  if (bytes === 0) throw refusal(uploadTexts.empty);
  const content = new Uint8Array(bytes);
  const hash = createHash("sha256");
  let at = 0;
  for (const chunk of chunks) {
    hash.update(chunk);
    content.set(chunk, at);
    at += chunk.length;
  }
  return { content, bytes, sha256: hash.digest("hex") };
}

async function receiveParts<Kept extends object>(
  request: FastifyRequest,
  { maxBytes, fieldBytes }: { maxBytes: number; fieldBytes: number },
  keep: (file: MultipartFile["file"]) => Promise<Kept>,
): Promise<{ fields: Record<string, string>; file: (Kept & { originalName: string }) | null }> {
  const fields = new Map<string, string>();
  let file: (Kept & { originalName: string }) | null = null;
  const limits = { fileSize: maxBytes, files: 1, fields: MAX_FIELDS, fieldSize: fieldBytes, fieldNameSize: 64 };
  for await (const part of request.parts({ limits })) {
    if (part.type === "field") {
      if (typeof part.value !== "string" || part.valueTruncated || part.value.includes("\0"))
        throw refusal(uploadTexts.unreadable);
      fields.set(part.fieldname, part.value);
    } else {
      file = { originalName: cleanName(part.filename), ...(await keep(part.file)) };
    }
  }
  return { fields: Object.fromEntries(fields), file };
}

type Target = { rule: FileRule; key: string; storage: FileStorage };

async function storeFile(file: MultipartFile["file"], { rule, key, storage }: Target) {
  const hash = createHash("sha256");
  let bytes = 0;
  let sample: Buffer = Buffer.alloc(0);

  async function* checked(): AsyncGenerator<Buffer> {
    let isChecked = false;
    // Without this the parser would read an oversized file to its end before failing.
    file.once("limit", () => file.destroy(refusal(rule.texts.size)));
    for await (const chunk of file) {
      bytes += chunk.length;
      hash.update(chunk);
      if (!isChecked) {
        sample = Buffer.concat([sample, chunk.subarray(0, SAMPLE_BYTES - sample.length)]);
        isChecked = sample.length === SAMPLE_BYTES;
        if (isChecked && !(await mayBeAccepted(sample, rule))) throw typeRefusal(sample, rule);
      }
      yield chunk;
    }
    if (file.truncated) throw refusal(rule.texts.size);
    if (bytes === 0) throw refusal(uploadTexts.empty);
  }

  await storage.write(key, checked());
  const contentType = await contentTypeOf(sample, rule, () => storage.read(key));
  if (contentType === undefined) throw typeRefusal(sample, rule);
  return { key, sha256: hash.digest("hex"), bytes, contentType };
}

const typeRefusal = (sample: Buffer, { types, texts }: FileRule) =>
  refusal(types.includes("image/jpeg") && isHeic(sample) ? uploadTexts.heic : texts.type);

const refusal = (text: string) => new AppError("invalid", text, { fields: { file: [text] } });

/** Converts the parser's errors to refusals with our texts. */
function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = "code" in error ? error.code : undefined;
  if (code === "FST_FILES_LIMIT") return refusal(uploadTexts.several);
  if (code === "FST_MP_PREMATURE_CLOSE") return refusal(uploadTexts.interrupted);
  const isParserError = typeof code === "string" && /^FST_(PARTS|FIELDS|PROTO|INVALID)_/.test(code);
  // The multipart parser throws plain errors for malformed bodies; "needle" means that the boundary is too long.
  return isParserError || /multipart|terminated early|malformed|needle/i.test(error.message)
    ? refusal(uploadTexts.unreadable)
    : error;
}

const MAX_NAME_LENGTH = 150;

function cleanName(name: string): string {
  const base = name.normalize("NFC").split(/[/\\]/).pop() ?? "";
  // Removes control characters, and marks that reverse the direction of text to disguise a file's extension.
  const plain = base.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, "").trim();
  const letters = [...plain];
  if (letters.length === 0) return "file";
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? "";
  return letters.length <= MAX_NAME_LENGTH
    ? plain
    : letters.slice(0, MAX_NAME_LENGTH - ending.length).join("") + ending;
}

/** Parses the fields beside an uploaded file. Throws "invalid" with the fields' texts, and then removes the file. */
export async function parseUploadFields<Values extends object>(
  deps: Pick<Deps, "log" | "storage">,
  schema: z.ZodType<Values>,
  { fields, key }: { fields: Record<string, string>; key: string | undefined },
): Promise<Values> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  if (key !== undefined) await discardUpload(deps, key);
  throw new AppError("invalid", errorTexts.invalidInput, {
    fields: z.flattenError<object>(parsed.error).fieldErrors as Record<string, string[]>,
  });
}

/**
 * Removes an upload without a row. A failure is only logged, because it must not hide the request's outcome; the file
 * is swept later.
 */
export async function discardUpload({ log, storage }: Pick<Deps, "log" | "storage">, key: string): Promise<void> {
  await storage.remove(key).catch((err: unknown) => log.warn({ err, key }, "an upload was left behind"));
}
