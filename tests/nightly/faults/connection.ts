import { randomBytes } from "node:crypto";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import superjson from "superjson";
import type { AppRouter } from "#server/api-types.ts";
import type { ImportAnswer } from "#shared/bank/statement-import-texts.ts";
import { accessMapping } from "#tests/support/bank-imports.ts";
import { publicUrl, type Replica } from "./cluster.ts";
import type { Outcome } from "./history.ts";

export type Api = ReturnType<typeof createTRPCClient<AppRouter>>;

const patienceMs = 60_000;

/** A person's browser before one of the processes, as a proxy would lead it there. */
export interface Connection {
  api: Api;
  uploadReceipt(upload: {
    projectId: number;
    key: string;
    bytes: Uint8Array<ArrayBuffer>;
    lots?: number;
  }): Promise<unknown>;
  /** A file that shows something about a harvest. Returns its id. */
  uploadEvidence(): Promise<string>;
  /** Throws too if something was asked instead of imported: nothing was written then. */
  importStatement(statement: { accountId: number; content: Uint8Array<ArrayBuffer> }): Promise<unknown>;
}

/** Enough of a PDF for the server, and of no other's bytes. */
export function newPdf(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(length), Buffer.from("\n%%EOF\n")]));
}

export function connect(replica: Replica, token: string): Connection {
  const headers = { origin: publicUrl, cookie: `__Host-session=${token}` };
  const link = httpLink({
    url: `${replica.url}/trpc`,
    transformer: superjson,
    headers,
    fetch: (address, init) =>
      fetch(address, { ...init, body: init?.body as string, signal: AbortSignal.timeout(patienceMs) }),
  });
  const upload = async (path: string, fields: Record<string, string>, file: File): Promise<unknown> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set("file", file);
    const answer = await fetch(`${replica.url}${path}`, {
      method: "POST",
      headers: { ...headers, "x-upload": "1" },
      body,
      signal: AbortSignal.timeout(patienceMs),
    });
    const said: unknown = await answer.json();
    if (answer.ok) return said;
    throw new RefusedUpload(answer.status, (said as { error: { reason: string; message: string } }).error);
  };
  const pdf = { type: "application/pdf" };
  return {
    api: createTRPCClient<AppRouter>({ links: [link] }),
    uploadReceipt({ projectId, key, bytes, lots = 1 }) {
      const fields = { projectId: String(projectId), idempotencyKey: key, lots: String(lots) };
      return upload("/uploads/receipts", fields, new File([bytes], "receipt.pdf", pdf));
    },
    async uploadEvidence() {
      const said = await upload("/uploads/harvest-evidence", {}, new File([newPdf(100)], "scales.pdf", pdf));
      return (said as { fileId: string }).fileId;
    },
    async importStatement({ accountId, content }) {
      const fields = { accountId: String(accountId), mapping: JSON.stringify(accessMapping) };
      const answer = (await upload("/bank/statements", fields, new File([content], "statement.csv"))) as ImportAnswer;
      if (answer.kind === "imported") return answer;
      throw new RefusedUpload(200, { reason: answer.kind, message: JSON.stringify(answer) });
    },
  };
}

class RefusedUpload extends Error {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, error: { reason: string; message: string }) {
    super(error.message);
    this.status = status;
    this.reason = error.reason;
  }
}

/** Returns an error's outcome for the caller; null if nobody accepted the connection: nothing was done. */
export function outcomeOf(error: unknown): Outcome | null {
  const answer = answerIn(error);
  if (answer) {
    const { status, reason, message } = answer;
    return reason === "internal" ? { is: "unknown", why: message, status } : { is: "refused", reason, message };
  }
  const words = chainOf(error).map((it) => ("code" in it ? String(it.code) : it.message));
  if (words.includes("ECONNREFUSED")) return null;
  return { is: "unknown", why: words.at(-1) ?? String(error), status: undefined };
}

function answerIn(error: unknown): { status: number; reason: string; message: string } | undefined {
  if (error instanceof RefusedUpload) return { status: error.status, reason: error.reason, message: error.message };
  if (!(error instanceof TRPCClientError)) return undefined;
  const data = error.data as { httpStatus: number; reason: string } | null | undefined;
  return data ? { status: data.httpStatus, reason: data.reason, message: error.message } : undefined;
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) chain.push(cause);
  return chain;
}
