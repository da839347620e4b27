import type { z } from "zod";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { secondPersonTexts as texts } from "#shared/second-person/texts.ts";

/** The contract of the registry of acts that take two people, see `features/second-person/kinds.ts`. */

/** A request's meaning in words for whoever has to decide, with the files of papers that prove it. */
export type Meaning = {
  title: string;
  consequences: string[];
  isPossible: boolean;
  projectId: number | null;
  fileIds?: string[];
};

/** The details of a confirmed request, with its id and the asker's reason. */
export type Confirmed<Details> = { details: Details; requestId: number; reason: string };

/**
 * An act that takes two people. The request and the confirmation both begin with `require`, because the world may have
 * changed in between; the confirmation goes on with `act`, in the same transaction.
 */
type Kind<Details> = {
  schema: z.ZodType<Details>;
  /** True if asking for it and confirming it take the password (and code). */
  needsProof?: boolean;
  /** Names what the request is about: one is open at a time. */
  subjectOf: (details: Details) => string;
  /** Null if what it is about is gone. */
  describe: (db: DbOrTx, details: Details) => Promise<Meaning | null>;
  /** Locks what it is about. Throws "not_found" or "conflict" if it can't be done now. */
  require: (tx: Tx, ctx: ActorContext, details: Details) => Promise<void>;
  /** The people whose own money it is about: none of them confirms it, unless they are the only owner. */
  concerns?: (db: DbOrTx, details: Details) => Promise<string[]>;
  /** The refusal that people of `concerns` read; by default that it is their own payment. */
  concernedText?: string;
  /** Does it, with its audit entry and notices. */
  act: (tx: Tx, ctx: ActorContext, confirmed: Confirmed<Details>) => Promise<void>;
};

/** A kind whose details are still unread, as they come from a row or a form: each use reads them by its schema. */
export type ReadyKind = Required<Kind<unknown>>;

export function secondPersonKind<Details>(kind: Kind<Details>): ReadyKind {
  const { schema, needsProof = false, subjectOf, describe, require, concerns = async () => [], act } = kind;
  const { concernedText = texts.ownMoney } = kind;
  const read = (details: unknown) => schema.parse(details);
  return {
    schema,
    needsProof,
    subjectOf: (details) => subjectOf(read(details)),
    describe: (db, details) => describe(db, read(details)),
    require: (tx, ctx, details) => require(tx, ctx, read(details)),
    concerns: (db, details) => concerns(db, read(details)),
    concernedText,
    act: (tx, ctx, { details, ...confirmed }) => act(tx, ctx, { ...confirmed, details: read(details) }),
  };
}
