import { noteActivity } from "#client/lib/session/idle-timer.ts";
import { errorTexts } from "#shared/errors.ts";
import { type FileKind, fileRules, isHeic, uploadTexts } from "#shared/files.ts";
import { isRecord, RequestError, toFields, toReason } from "./errors.ts";

type UploadOptions = {
  /** Share of the bytes sent, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

export function parseBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}

/** The server refuses with `{ error: { reason, message, fields?, details? } }`; a proxy with anything. */
export function refusal(status: number, body: Record<string, unknown>): RequestError {
  const error = isRecord(body.error) ? body.error : {};
  const reason = toReason(error.reason) ?? (status === 429 ? "rate_limited" : "internal");
  const fallback = reason === "rate_limited" ? errorTexts.rateLimited : errorTexts.internal;
  const message = typeof error.message === "string" ? error.message : fallback;
  return new RequestError(reason, message, { fields: toFields(error.fields), details: error.details });
}

/** The person stopped it, or left. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * Sends one file as multipart (`fields` first, then `file`) and gives the server's JSON answer; null where a form's
 * file was left out.
 * By XMLHttpRequest, since fetch can't tell how far an upload is. Throws {@link RequestError}, or the signal's
 * AbortError. The custom header is what the upload scope asks for against forged forms.
 */
export async function uploadFile(
  url: string,
  file: File | null,
  fields: Record<string, string> = {},
  options: UploadOptions = {},
): Promise<Record<string, unknown>> {
  // Many a HEIC photo calls itself a JPEG. The server would say so once megabytes were sent.
  if (file && (await isHeicInside(file))) {
    throw new RequestError("invalid", uploadTexts.heic, { fields: { file: [uploadTexts.heic] } });
  }
  return sendFile(url, file, fields, options);
}

/** False for a file that can't be read any more: sending it says so. */
const isHeicInside = (file: File): Promise<boolean> =>
  file
    .slice(0, 12)
    .arrayBuffer()
    .then((start) => isHeic(new Uint8Array(start)))
    .catch(() => false);

function sendFile(
  url: string,
  file: File | null,
  fields: Record<string, string>,
  { onProgress, signal, headers }: UploadOptions,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.addEventListener("abort", abort, { once: true });
    request.onloadend = () => signal?.removeEventListener("abort", abort);

    request.upload.onprogress = (event) => {
      noteActivity();
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      const body = parseBody(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body);
      else reject(refusal(request.status, body));
    };
    request.onerror = () => reject(new RequestError("network", errorTexts.network));
    request.onabort = () => reject(signal?.reason ?? new DOMException("Aborted", "AbortError"));

    request.open("POST", url);
    request.setRequestHeader("x-upload", "1");
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append("file", file, file.name);
    request.send(form);
  });
}

/**
 * Returns the fault of a chosen file, as far as the browser can tell, or null. It only saves a wait: the server looks
 * into the file.
 */
export function checkFile(kind: FileKind, { name, type, size }: Pick<File, "name" | "type" | "size">): string | null {
  const { types, maxBytes, texts } = fileRules[kind];
  if (!types.includes(type)) {
    const isPhoto = /^image\/hei[cf]/.test(type) || /\.(?:heic|heif|hif)$/i.test(name);
    return isPhoto && types.includes("image/jpeg") ? uploadTexts.heic : texts.type;
  }
  if (size === 0) return uploadTexts.empty;
  return size > maxBytes ? texts.size : null;
}
