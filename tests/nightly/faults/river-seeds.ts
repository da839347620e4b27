import type { RiverKind } from "./river.ts";
import { onWrite, type SeededFault } from "./seeded-fault.ts";

/**
 * Faults of what comes after a payment: statements, refunds, payouts, harvests. The guards that would refuse one are
 * asleep.
 */

/** Then what the product never changes may be changed. */
const unguarded = (change: string): string =>
  `perform set_config('session_replication_role', 'replica', true); ${change}
  perform set_config('session_replication_role', 'origin', true);`;

const asleep = (guard: string): string => `
  create or replace function ${guard}() returns trigger language plpgsql as $$ begin return null; end $$;`;

const ofKind = (kind: string): string =>
  `(select kind from ledger_transactions where id = new.transaction_id) = '${kind}'`;

/** After an act, by its entry in the audit log. */
const after = (action: string, change: string): string =>
  onWrite("audit_logs", "insert", `if new.action_type = '${action}' then ${unguarded(change)} end if;`);

const damages: Record<string, string> = {
  "a line is posted twice": onWrite(
    "ledger_entries",
    "insert",
    `if ${ofKind("line")} then new.amount_kobo := new.amount_kobo * 2; end if;`,
  ),
  "a line is left out": onWrite(
    "statement_lines",
    "insert",
    "if new.narration like '%CHARGE%' then return null; end if;",
  ),
  "a match posts another sum": onWrite(
    "ledger_entries",
    "insert",
    `if ${ofKind("match")} then new.amount_kobo := new.amount_kobo * 2; end if;`,
  ),
  "a refund has no payout":
    asleep("check_payouts_of_refund") +
    after("make_refund_due", "delete from payouts where refund_id = (new.details->>'refundId')::bigint;"),
  "a run's file changes after its export": after(
    "export_payout_run",
    `update payout_files set bytes = bytes || '\\x0a'::bytea, sha256 = encode(sha256(bytes || '\\x0a'::bytea), 'hex')
      where run_id = (new.details->>'runId')::bigint;`,
  ),
  "a payout is due again after its export": after(
    "export_payout_run",
    `update payouts set state = 'due', run_id = null, sent_at = null where run_id = (new.details->>'runId')::bigint;`,
  ),
  "a void run keeps its payouts": onWrite(
    "payouts",
    "update",
    "if old.state = 'in_run' and new.state = 'due' then return old; end if;",
  ),
  "a choice isn't written": onWrite(
    "harvest_parts",
    "update",
    "if new.chosen_at is distinct from old.chosen_at then return old; end if;",
  ),
  "produce can be collected again": onWrite(
    "harvest_parts",
    "update",
    "new.collected_at := null; new.collected_by := null;",
  ),
  "a settlement loses a kobo": onWrite(
    "settlement_parts",
    "insert",
    "if new.net_kobo > 0 then new.net_kobo := new.net_kobo - 1; new.share_kobo := new.share_kobo - 1; end if;",
  ),
  "a settlement loses a part": onWrite(
    "settlement_parts",
    "insert",
    "if exists (select from settlement_parts p where p.settlement_id = new.settlement_id) then return null; end if;",
  ),
  "a declared sale isn't written": onWrite(
    "harvest_sales",
    "update",
    "if new.declared_at is not null then return old; end if;",
  ),
  "a hold isn't counted":
    asleep("check_held_of_row") + onWrite("project_rounds", "update", "new.held_lots := old.held_lots;"),
};

/** Few come so far by themselves in a short run. */
const needs: Record<string, RiverKind | [RiverKind, of: string]> = {
  "a refund has no payout": "give held money back",
  "a run's file changes after its export": "export a run",
  "a payout is due again after its export": "export a run",
  "a void run keeps its payouts": "void a run",
  "a choice isn't written": "choose",
  "produce can be collected again": "collect produce",
  "a settlement loses a kobo": "settle a harvest",
  "a settlement loses a part": "settle a harvest",
  // Confirmed soon after: whoever confirms takes sales first.
  "a declared sale isn't written": ["ask for a second person", "declare_sale"],
};

export const riverSeeds: SeededFault[] = Object.entries(damages).map(([name, statement]) => {
  const needed = needs[name];
  if (!needed) return { name, statement, faults: [] };
  const [kind, of = ""] = typeof needed === "string" ? [needed] : needed;
  return { name, statement, faults: [], needs: kind, needsOf: of };
});
