import type { SQL } from "drizzle-orm";
import type { Connection } from "./connection.ts";
import type { Random } from "./random.ts";

/**
 * People's acts along the river of money: their name in the audit log, and the row that it names there. Null: not
 * audited.
 */
export const riverActs = {
  "import a statement": { action: "import_statement", row: "details->>'sha256'" },
  "match a line": { action: "match_line", row: "details->>'lineId'" },
  "undo a match": { action: "undo_match", row: "details->>'lineId'" },
  "confirm sure payments": null,
  "give held money back": { action: "make_refund_due", row: "details->>'paymentId'" },
  "take a refund back": { action: "take_refund_back", row: "details->>'refundId'" },
  "decide a round": { action: "decide_round", row: "details->>'projectId'" },
  "give an account": { action: "set_payee_account", row: "details->>'after'" },
  "ask for a part": {
    action: "ask_for_part",
    row: "concat_ws(' ', details->>'projectId', details->>'round', details->>'part')",
  },
  "check a part": { action: "check_part", row: "details->>'askId'" },
  "refuse a part": { action: "refuse_part", row: "details->>'askId'" },
  "release to a farm": { action: "release_to_farm", row: "details->>'projectId'" },
  "take a release back": { action: "take_release_back", row: "details->>'releaseId'" },
  "make a run": { action: "make_payout_run", row: "details->>'payoutIds'" },
  "approve a run": { action: "approve_payout_run", row: "details->>'runId'" },
  "void a run": { action: "void_payout_run", row: "details->>'runId'" },
  // Pressed again, it gives the same files, and the log has the first time.
  "export a run": null,
  "mark a payout paid": { action: "mark_payout_paid", row: "details->>'payoutId'" },
  "create a harvest": { action: "create_harvest", row: "details->>'projectId'" },
  "open a harvest": { action: "open_harvest", row: "details->>'harvestId'" },
  "lower a harvest": { action: "lower_harvest", row: "details->>'harvestId'" },
  "withdraw a harvest": { action: "withdraw_harvest", row: "details->>'harvestId'" },
  choose: null,
  "collect produce": { action: "collect_produce", row: "details->>'harvestId'" },
  "add a cost": { action: "add_harvest_cost", row: "details->>'harvestId'" },
  "add a sale": { action: "add_harvest_sale", row: "details->>'harvestId'" },
  "settle a harvest": { action: "settle_harvest", row: "details->>'harvestId'" },
  "reverse a settlement": { action: "reverse_settlement", row: "details->>'settlementId'" },
  "finish a harvest": { action: "finish_harvest", row: "details->>'harvestId'" },
  "ask for a second person": {
    action: "ask_second_person",
    row: `concat_ws(' ', details->>'kind', coalesce(details->>'saleId',
      (details->>'harvestId') || '/' || (details->>'what'), details->>'farmId', details->>'projectId'))`,
  },
  "confirm as second person": { action: "confirm_as_second_person", row: "details->>'requestId'" },
} as const;
export type RiverKind = keyof typeof riverActs;

/** `subject` is the row as the audit log names it; `sent` what the checker needs besides. */
export type RiverOperation = {
  [Kind in RiverKind]: { kind: Kind; subject: string; sent: Record<string, string | number> };
}[RiverKind];

type RiverPlan = { operation: RiverOperation; call: (connection: Connection) => Promise<unknown> };

/** The view of somebody who looks for something to do. It finds nothing while the database or the process is away. */
export interface Eyes {
  random: Random;
  userId: string;
  /** Looks into the database, as a list on the screen would show it. */
  find<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]>;
  /** Asks one of the processes. */
  read<T>(read: (connection: Connection) => Promise<T>): Promise<T | undefined>;
}

/** Something to do, and how often it is tried; null if there is nothing to do it with now. */
export interface Act {
  kind: RiverKind;
  weight: number;
  plan(eyes: Eyes): Promise<RiverPlan | null>;
}

/** A plan of one kind. */
export const planOf = (
  kind: RiverKind,
  subject: string | number,
  sent: Record<string, string | number | bigint>,
  call: RiverPlan["call"],
): RiverPlan => ({ operation: { kind, subject: String(subject), sent: printable(sent) } as RiverOperation, call });

/** Findings are printed as JSON, which has no bigint. */
const printable = (sent: Record<string, string | number | bigint>): RiverOperation["sent"] =>
  Object.fromEntries(Object.entries(sent).map(([key, it]) => [key, typeof it === "bigint" ? String(it) : it]));
