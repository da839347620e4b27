import { changeAsProved, type OwnProof, proveOwnAccount } from "#server/accounts/own-proof.ts";
import { requireSession } from "#server/accounts/sessions.ts";
import { lockActiveOwners } from "#server/accounts/users.ts";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { secondPersonLimits, secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { findConfirmRefusal } from "./who-may-confirm.ts";

/**
 * Acts that one owner makes and another must confirm. An owner who has been the only one for a week confirms their own
 * with the proof of their account and a code. Owners and their time are read at the moment of confirming.
 */

/** Locks the owners, and makes sure that the caller still is one of them. */
export async function lockOwners(tx: Tx, ctx: ActorContext, lock: "share" | "no key update"): Promise<string[]> {
  const owners = await lockActiveOwners(tx, lock);
  await requireSession(tx, ctx.actor);
  if (!owners.includes(ctx.actor.id)) throw new AppError("forbidden", texts.needsAnother);
  return owners;
}

/** Until when a second owner may confirm what was asked for then. */
export const endOfAsking = (askedAt: Date): Date => new Date(askedAt.getTime() + secondPersonLimits.days * dayMs);

/** Throws "forbidden" with the moment from which the caller may confirm what was made by that person. */
async function requireToCount(db: DbOrTx, { actor, clock }: ActorContext, madeBy: string): Promise<void> {
  const refusal = await findConfirmRefusal(db, { madeBy, userId: actor.id, now: clock.now() });
  if (refusal !== null) throw new AppError("forbidden", refusal);
}

type Confirming = {
  madeBy: string;
  proof: OwnProof;
  /** Locks what it is about, before the owners. */
  lockSubject: (tx: Tx) => Promise<void>;
  act: (tx: Tx, confirmed: { owners: string[]; isAlone: boolean }) => Promise<void>;
};

/**
 * Acts as the second of two owners, or as the only owner with a second factor. Throws "forbidden" if the caller isn't
 * an owner, made it themselves beside other owners, or is alone without a second factor, and what the proof refuses.
 */
export async function actAsSecondOwner(
  ctx: ActorContext,
  { madeBy, proof, lockSubject, act }: Confirming,
): Promise<void> {
  if (madeBy !== ctx.actor.id) {
    return inTransaction(ctx.db, async (tx) => {
      await lockSubject(tx);
      const owners = await lockOwners(tx, ctx, "share");
      // Whoever made it and left is refused in its own words.
      if (owners.includes(madeBy)) await requireToCount(tx, ctx, madeBy);
      await act(tx, { owners, isAlone: false });
    });
  }
  await requireToCount(ctx.db, ctx, madeBy);
  const proved = await proveOwnAccount(ctx, proof);
  if (!proved.isCodeAsked) throw new AppError("forbidden", texts.needsFactor);
  let owners: string[] = [];
  await changeAsProved(
    ctx,
    proved,
    (tx) => act(tx, { owners, isAlone: true }),
    async (tx) => {
      await lockSubject(tx);
      owners = await lockOwners(tx, ctx, "no key update");
      await requireToCount(tx, ctx, madeBy);
    },
  );
}
