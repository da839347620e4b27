import { errorTexts } from "#shared/errors.ts";
import { RequestError } from "./errors.ts";
import { parseBody, refusal } from "./upload.ts";

/**
 * Fetches one of our files and gives it to the browser to save. Not a plain link: a refusal would take the page's place.
 * `onProgress` hears how many bytes have come. Throws {@link RequestError}.
 */
export async function saveFile(
  path: string,
  fallbackName: string,
  onProgress?: (bytes: number) => void,
): Promise<void> {
  const answer = await fetch(path).catch(() => null);
  if (!answer) throw new RequestError("network", errorTexts.network);
  if (!answer.ok) throw refusal(answer.status, parseBody(await answer.text()));
  const name = nameOf(answer.headers.get("content-disposition") ?? "") ?? fallbackName;
  const file = await (onProgress ? counted(answer, onProgress) : answer).blob().catch(() => null);
  if (!file) throw new RequestError("network", errorTexts.network);
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The same answer, whose bytes are counted on their way. */
function counted(answer: Response, onProgress: (bytes: number) => void): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.byteLength;
      onProgress(bytes);
      controller.enqueue(part);
    },
  });
  return new Response(answer.body?.pipeThrough(counter), { headers: answer.headers });
}

/** The name in UTF-8, where there is one beside the plain one. */
function nameOf(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(disposition)?.[1];
}
