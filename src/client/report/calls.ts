import { isRecord, RequestError, toFields, toReason } from "#client/lib/errors.ts";
import type { RouterInputs } from "#client/lib/trpc.ts";
import { parseBody, uploadFile } from "#client/lib/upload.ts";
import { errorTexts } from "#shared/errors.ts";
import type { ReportPageFacts } from "#shared/reports/page-texts.ts";

type By = ReportPageFacts["by"];
export type ReportToSend = RouterInputs["reports"]["send"];
export type SendAnswer = { questions: string[] } | { sentAt: string };

const answerMs = 60_000;
/** A phone at the edge of a cell may hold a dead connection open for a quarter of an hour. */
const stallMs = 60_000;

/**
 * Calls `reports.send`, as one call of tRPC without its client, which is larger than this whole page. Throws
 * {@link RequestError}: "network" also where something else answered, such as the sign-in page of a hotspot.
 */
export async function sendReport(input: ReportToSend): Promise<SendAnswer> {
  const response = await fetch("/trpc/reports.send", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json: input }),
    signal: AbortSignal.timeout(answerMs),
  }).catch(unreachable);
  const body = parseBody(await response.text().catch(unreachable));
  const data = inside(body, "result", "data", "json");
  if (data && Array.isArray(data.questions) && data.questions.length > 0) return { questions: data.questions };
  if (data && typeof data.sentAt === "string") return { sentAt: data.sentAt };
  const error = inside(body, "error", "json");
  if (!error) throw new RequestError("network", errorTexts.network);
  const facts = isRecord(error.data) ? error.data : {};
  throw new RequestError(toReason(facts.reason) ?? "internal", String(error.message), {
    fields: toFields(facts.fields),
    details: facts.details,
  });
}

const unreachable = (): never => {
  throw new RequestError("network", errorTexts.network);
};

function inside(body: Record<string, unknown>, ...names: string[]): Record<string, unknown> | null {
  let value: unknown = body;
  for (const name of names) value = isRecord(value) ? value[name] : undefined;
  return isRecord(value) ? value : null;
}

/**
 * Sends one photo; the server keeps it once for its key. `onProgress` gets the share of its bytes. Throws {@link
 * RequestError}.
 */
export async function sendPhoto(
  { by, number, photoKey }: { by: By; number: number; photoKey: string },
  file: File,
  onProgress: (share: number) => void,
): Promise<void> {
  const stalled = new AbortController();
  const stall = () => stalled.abort(new RequestError("network", errorTexts.network));
  let timer = setTimeout(stall, stallMs);
  const fields = {
    ...("token" in by ? { token: by.token } : { projectId: String(by.projectId) }),
    number: String(number),
    photoKey,
  };
  try {
    await uploadFile("/uploads/report-photos", file, fields, {
      signal: stalled.signal,
      onProgress(share) {
        clearTimeout(timer);
        timer = setTimeout(stall, stallMs);
        onProgress(share);
      },
    });
  } finally {
    clearTimeout(timer);
  }
}
