import type { TRPCLink } from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { errorReason } from "./errors.ts";

/** Asks the person for the password (and code), once for all that wait for it. True once it was right. */
let ask: (() => Promise<boolean>) | null = null;
let asking: Promise<boolean> | null = null;

/** Registers who asks. Gives the function that takes it back. */
export function onProofWanted(listener: () => Promise<boolean>): () => void {
  ask = listener;
  return () => {
    if (ask === listener) ask = null;
  };
}

/** Asks for the password (and code). False if the person would rather not, or nobody can ask here. */
export async function askForProof(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}

/**
 * A mutation that is refused for want of the password asks for it, and is called again: the form behind it only waits
 * longer. It fails as it would have if the person gives no password.
 */
export const proofLink =
  <Router extends AnyRouter>(): TRPCLink<Router> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let isOver = false;
      let call = next(op).subscribe({
        next: (answer) => observer.next(answer),
        complete: () => observer.complete(),
        error(error) {
          if (op.type !== "mutation" || errorReason(error) !== "proof_required") return observer.error(error);
          void askForProof().then((isProved) => {
            if (isOver) return;
            if (isProved) call = next(op).subscribe(observer);
            else observer.error(error);
          });
        },
      });
      return () => {
        isOver = true;
        call.unsubscribe();
      };
    });
