ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_payout_once";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_replaced_once";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_payout";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_sale";--> statement-breakpoint
DROP INDEX "line_matches_payout_once";--> statement-breakpoint
ALTER TABLE "own_accounts" ADD COLUMN "charge_texts" text[] DEFAULT '{"STAMP DUTY","SMS ALERT CHARGE"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "matched_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD COLUMN "given_by" uuid;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD COLUMN "given_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_given_by_users_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statements_to_match" ON "statements" USING btree ("id") WHERE "statements"."matched_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_payout_once" ON "ledger_transactions" USING btree ("payout_id") WHERE "ledger_transactions"."kind" = 'payout_sent';--> statement-breakpoint
CREATE INDEX "ledger_transactions_of_payout" ON "ledger_transactions" USING btree ("payout_id") WHERE "ledger_transactions"."payout_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_replaced_once" ON "payouts" USING btree ("replaces_id") WHERE "payouts"."state" <> 'cancelled';--> statement-breakpoint
CREATE INDEX "payouts_of_replaced" ON "payouts" USING btree ("replaces_id") WHERE "payouts"."replaces_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_payout_once" ON "line_matches" USING btree ("payout_id","kind",(case "kind" when 'payout' then "reason" is not null else "receivable_kobo" is not null end)) WHERE "line_matches"."undone_at" is null and "line_matches"."payout_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike', 'opening', 'line', 'voided_line', 'voided_opening', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'payout_failure_undone', 'farm_release', 'farm_release_taken_back', 'round_return', 'round_return_taken_back', 'sale_declared', 'sale_taken_back', 'sale_lost', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payout" CHECK (("ledger_transactions"."kind" in ('payout_sent', 'payout_failed', 'payout_failure_undone')) = ("ledger_transactions"."payout_id" is not null));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_sale" CHECK (("line_matches"."raised_kobo" is null or ("line_matches"."kind" = 'sale' and "line_matches"."raised_kobo" between 1 and "line_matches"."amount_kobo")) and ("line_matches"."receivable_kobo" is null or "line_matches"."kind" in ('sale', 'sale_taken_back', 'returned')) and ("line_matches"."receivable_kobo" is null or "line_matches"."kind" = 'returned' or "line_matches"."receivable_kobo" between 0 and "line_matches"."amount_kobo"));--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_given" CHECK (("payout_runs"."given_by" is null) = ("payout_runs"."given_at" is null) and ("payout_runs"."given_at" is null or "payout_runs"."exported_at" is not null));--> statement-breakpoint
-- Came back, and undone: begin.
-- A match is undone once; nothing else of it changes.
CREATE OR REPLACE FUNCTION refuse_change_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.undone_at IS NOT NULL OR
    to_jsonb(OLD) - ARRAY['undone_at', 'undone_by', 'undone_reason']
    IS DISTINCT FROM to_jsonb(NEW) - ARRAY['undone_at', 'undone_by', 'undone_reason']
  THEN
    RAISE EXCEPTION 'match % of a line: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- What a payout is for never changes, and its state only goes on: back from failed only where no line shows it coming back any more.
CREATE OR REPLACE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  free CONSTANT text[] := ARRAY['state', 'run_id', 'due_at', 'promised_by', 'sent_at', 'paid_at', 'paid_by', 'paid_session_id',
    'paid_reason', 'failed_at', 'failed_reason', 'refusal_request_id', 'cancelled_at', 'withheld_at', 'withheld_by',
    'withheld_reason', 'let_go_request_id'];
BEGIN
  IF TG_OP = 'DELETE' OR to_jsonb(OLD) - free IS DISTINCT FROM to_jsonb(NEW) - free
    OR (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'due'), ('waiting', 'cancelled'), ('due', 'due'),
      ('due', 'waiting'), ('due', 'in_run'), ('due', 'cancelled'), ('in_run', 'in_run'), ('in_run', 'due'), ('in_run', 'sent'),
      ('sent', 'sent'), ('sent', 'paid'), ('sent', 'failed'), ('paid', 'paid'), ('paid', 'sent'), ('paid', 'failed'),
      ('failed', 'sent'), ('failed', 'paid'))
    OR (OLD.state = 'failed' AND (OLD.refusal_request_id IS NOT NULL OR NOT EXISTS (
      SELECT FROM line_matches m WHERE m.payout_id = OLD.id AND m.kind = 'returned' AND m.receivable_kobo IS NULL
    ) OR EXISTS (
      SELECT FROM line_matches m WHERE m.payout_id = OLD.id AND m.kind = 'returned' AND m.receivable_kobo IS NULL
        AND m.undone_at IS NULL
    )))
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- An account that money may have gone to stays as it was; only whether it is used is written.
CREATE OR REPLACE FUNCTION refuse_change_of_payee_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF num_nonnulls(OLD.replaced_at, NEW.replaced_at) = 2 OR to_jsonb(OLD) - 'replaced_at' IS DISTINCT FROM to_jsonb(NEW) - 'replaced_at' THEN
    RAISE EXCEPTION 'payee account % : change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
-- Came back, and undone: end.
--> statement-breakpoint
-- (an operator's day) A run is for the same payouts from its draft to its end. That the bank has its file is said once, after its export.
CREATE OR REPLACE FUNCTION refuse_change_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.given_at IS NULL AND NEW.given_at IS NOT NULL
    AND to_jsonb(OLD) - 'given_by' - 'given_at' = to_jsonb(NEW) - 'given_by' - 'given_at'
  THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.own_account_id, OLD.payouts, OLD.total_kobo, OLD.lines_sha256, OLD.made_by, OLD.created_at, OLD.given_by, OLD.given_at)
    IS DISTINCT FROM
    (NEW.id, NEW.own_account_id, NEW.payouts, NEW.total_kobo, NEW.lines_sha256, NEW.made_by, NEW.created_at, NEW.given_by, NEW.given_at)
    OR (OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approved_at, OLD.alone_reason)
      IS DISTINCT FROM (NEW.approved_by, NEW.approved_at, NEW.alone_reason))
    OR (OLD.exported_by IS NOT NULL AND (OLD.exported_by, OLD.exported_at) IS DISTINCT FROM (NEW.exported_by, NEW.exported_at))
    OR (OLD.state, NEW.state) NOT IN (('draft', 'approved'), ('draft', 'void'), ('approved', 'exported'), ('approved', 'void'),
      ('exported', 'closed'), ('closed', 'exported'))
  THEN
    RAISE EXCEPTION 'run % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
