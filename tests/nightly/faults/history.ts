import type { PaymentStatus } from "#shared/payments/statuses.ts";
import type { RiverOperation } from "./river.ts";

/** The clients' operations and their answers: all that the checker knows beside the final state. */

export type Operation =
  | { kind: "favorite" | "unfavorite"; projectId: number }
  | { kind: "submit" | "submit again"; projectId: number; key: string; sha256: string }
  | { kind: "message" | "message again"; projectId: number; key: string; content: string }
  | {
      kind: "approve" | "reject" | "back to pending";
      paymentId: number;
      seenStatus: PaymentStatus;
      status: PaymentStatus;
      /** Null for a payment that came with a line of the bank's statement. */
      sha256: string | null;
    }
  | { kind: "close" | "reopen" | "clone" | "delete"; projectId: number }
  | { kind: "grant" | "revoke"; projectId: number; userId: string }
  | { kind: "hold" | "release" | "wait for lots"; projectId: number }
  | { kind: "edit"; projectId: number; title: string }
  | { kind: "touch" | "look" }
  | RiverOperation;
export type OperationKind = Operation["kind"];

/** All kinds but those of the river of money. */
export const otherKinds = [
  ...(["favorite", "unfavorite", "submit", "submit again", "message", "message again"] as const),
  ...(["approve", "reject", "back to pending", "close", "reopen", "clone", "delete", "grant", "revoke"] as const),
  ...(["hold", "release", "wait for lots", "edit", "touch", "look"] as const),
] satisfies OperationKind[];

export type Outcome =
  | { is: "acknowledged"; reply: unknown }
  /** Answered with a reason: nothing was done, for sure. */
  | { is: "refused"; reason: string; message: string }
  /** No answer, or that of a failure: done or not. */
  | { is: "unknown"; why: string; status: number | undefined };

export interface Entry {
  operation: Operation;
  /** Who acted. */
  userId: string;
  /** By which process. */
  replica: string;
  startedAt: number;
  endedAt: number;
  outcome: Outcome;
}

export interface FaultRecord {
  kind: string;
  startedAt: number;
  endedAt: number;
  /** How many sends of a mail it can have cut off between the mail server's answer and the commit. */
  sendsCut: number;
}

/** Those entries whose operation is of one of the kinds. */
export function entriesOf<Kind extends OperationKind>(
  entries: readonly Entry[],
  ...kinds: Kind[]
): (Entry & { operation: Extract<Operation, { kind: Kind }> })[] {
  const isWanted = (entry: Entry): entry is Entry & { operation: Extract<Operation, { kind: Kind }> } =>
    kinds.some((kind) => kind === entry.operation.kind);
  return entries.filter(isWanted);
}
