import { errorTexts } from "#shared/errors.ts";
import { RequestError } from "./errors.ts";
import { parseBody, refusal } from "./upload.ts";

/**
 * Fetches one of our files and gives it to the browser to save. Not a plain link: a refusal would take the page's place.
 * Throws {@link RequestError}.
 */
export async function saveFile(path: string, fallbackName: string): Promise<void> {
  const answer = await fetch(path).catch(() => null);
  if (!answer) throw new RequestError("network", errorTexts.network);
  if (!answer.ok) throw refusal(answer.status, parseBody(await answer.text()));
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? fallbackName;
  const file = await answer.blob().catch(() => null);
  if (!file) throw new RequestError("network", errorTexts.network);
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
