CREATE TABLE "holder_change_payments" (
	"change_id" bigint NOT NULL,
	"payment_id" bigint NOT NULL,
	CONSTRAINT "holder_change_payments_change_id_payment_id_pk" PRIMARY KEY("change_id","payment_id")
);
--> statement-breakpoint
CREATE TABLE "holder_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "holder_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"project_id" integer NOT NULL,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"from_user_id" uuid NOT NULL,
	"to_user_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"outcome" text,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"end_reason" text,
	"backing_id" bigint,
	CONSTRAINT "holder_changes_one_per_request" UNIQUE("request_id"),
	CONSTRAINT "holder_changes_people" CHECK ("holder_changes"."from_user_id" <> "holder_changes"."to_user_id"),
	CONSTRAINT "holder_changes_cause" CHECK ("holder_changes"."cause" in ('death', 'gift', 'court')),
	CONSTRAINT "holder_changes_outcome" CHECK ("holder_changes"."outcome" in ('carried_out', 'objected', 'stopped', 'failed')),
	CONSTRAINT "holder_changes_until" CHECK ("holder_changes"."until" > "holder_changes"."created_at"),
	CONSTRAINT "holder_changes_ended" CHECK (("holder_changes"."outcome" is null) = ("holder_changes"."ended_at" is null)),
	CONSTRAINT "holder_changes_ended_by" CHECK (("holder_changes"."ended_by" is not null) = (coalesce("holder_changes"."outcome", '') in ('objected', 'stopped'))
        and ("holder_changes"."end_reason" is not null) = (coalesce("holder_changes"."outcome", '') in ('stopped', 'failed'))),
	CONSTRAINT "holder_changes_carried_out" CHECK ((coalesce("holder_changes"."outcome", '') not in ('carried_out', 'failed') or "holder_changes"."ended_at" >= "holder_changes"."until")
        and ("holder_changes"."backing_id" is null or "holder_changes"."outcome" = 'carried_out'))
);
--> statement-breakpoint
CREATE TABLE "payment_evidence" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"added_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_payout_once";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_replaced_once";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_payout";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_kind";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_sale";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_reason";--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_owner";--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_farm";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_kind";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_about";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
DROP INDEX "line_matches_payout_once";--> statement-breakpoint
ALTER TABLE "settlement_strikes" DROP CONSTRAINT "settlement_strikes_strike_id_settlement_id_backing_id_pk";--> statement-breakpoint
ALTER TABLE "payouts" ALTER COLUMN "round" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "own_accounts" ADD COLUMN "charge_texts" text[] DEFAULT '{"STAMP DUTY","SMS ALERT CHARGE"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "matched_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "holder_change_id" bigint;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD COLUMN "line_id" bigint;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD COLUMN "given_by" uuid;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD COLUMN "given_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "former_user_id" uuid;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "line_id" bigint;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD COLUMN "id" bigint PRIMARY KEY NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "settlement_strikes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD COLUMN "payout_id" bigint;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD COLUMN "created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "holder_change_payments" ADD CONSTRAINT "holder_change_payments_change_id_holder_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."holder_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_change_payments" ADD CONSTRAINT "holder_change_payments_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_from_user_id_users_id_fk" FOREIGN KEY ("from_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_to_user_id_users_id_fk" FOREIGN KEY ("to_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_evidence" ADD CONSTRAINT "payment_evidence_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_evidence" ADD CONSTRAINT "payment_evidence_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_evidence" ADD CONSTRAINT "payment_evidence_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holder_change_payments_of_payment" ON "holder_change_payments" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "holder_changes_one_running" ON "holder_changes" USING btree ("project_id","round","from_user_id") WHERE "holder_changes"."outcome" is null;--> statement-breakpoint
CREATE INDEX "holder_changes_of_payment" ON "holder_changes" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "holder_changes_from" ON "holder_changes" USING btree ("from_user_id");--> statement-breakpoint
CREATE INDEX "holder_changes_to" ON "holder_changes" USING btree ("to_user_id");--> statement-breakpoint
CREATE INDEX "holder_changes_running" ON "holder_changes" USING btree ("until") WHERE "holder_changes"."outcome" is null;--> statement-breakpoint
CREATE INDEX "payment_evidence_of_payment" ON "payment_evidence" USING btree ("payment_id");--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_given_by_users_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_former_user_id_users_id_fk" FOREIGN KEY ("former_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statements_to_match" ON "statements" USING btree ("id") WHERE "statements"."matched_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_payout_once" ON "ledger_transactions" USING btree ("payout_id") WHERE "ledger_transactions"."kind" = 'payout_sent';--> statement-breakpoint
CREATE INDEX "ledger_transactions_of_payout" ON "ledger_transactions" USING btree ("payout_id") WHERE "ledger_transactions"."payout_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_sent_back_once" ON "line_matches" USING btree ("line_id") WHERE "line_matches"."kind" = 'sent_back' and "line_matches"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_line" ON "payee_accounts" USING btree ("line_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_replaced_once" ON "payouts" USING btree ("replaces_id") WHERE "payouts"."state" <> 'cancelled';--> statement-breakpoint
CREATE INDEX "payouts_of_replaced" ON "payouts" USING btree ("replaces_id") WHERE "payouts"."replaces_id" is not null;--> statement-breakpoint
CREATE INDEX "payouts_of_line" ON "payouts" USING btree ("line_id") WHERE "payouts"."line_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_payout_once" ON "line_matches" USING btree ("payout_id","kind",(case "kind" when 'payout' then "reason" is not null else "receivable_kobo" is not null end)) WHERE "line_matches"."undone_at" is null and "line_matches"."payout_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_holder_change_once" UNIQUE("holder_change_id");--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_once" UNIQUE NULLS NOT DISTINCT("strike_id","settlement_id","backing_id","payout_id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'opening', 'in_transit', 'receivable', 'unmatched_in', 'unmatched_out', 'unallocated', 'project_funding', 'backer_due', 'payouts_in_transit', 'farm_released', 'farm_due', 'sender_due', 'harvest_proceeds', 'harvest_costs', 'fee_income', 'vat_due', 'wht_due', 'produce_stock', 'produce_due', 'bank_charges', 'operator', 'losses'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_holder_change" CHECK (("ledger_transactions"."kind" = 'holder_change') = ("ledger_transactions"."holder_change_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike', 'opening', 'line', 'voided_line', 'voided_opening', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'payout_failure_undone', 'payout_struck', 'farm_release', 'farm_release_taken_back', 'round_return', 'round_return_taken_back', 'holder_change', 'sale_declared', 'sale_taken_back', 'sale_lost', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payout" CHECK (("ledger_transactions"."kind" in ('payout_sent', 'payout_failed', 'payout_failure_undone', 'payout_struck')) = ("ledger_transactions"."payout_id" is not null));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges', 'payout', 'returned', 'sale', 'sale_taken_back', 'harvest_cost', 'vat', 'wht', 'farm_paid_back', 'sent_back'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_sale" CHECK (("line_matches"."raised_kobo" is null or ("line_matches"."kind" = 'sale' and "line_matches"."raised_kobo" between 1 and "line_matches"."amount_kobo")) and ("line_matches"."receivable_kobo" is null or "line_matches"."kind" in ('sale', 'sale_taken_back', 'returned')) and ("line_matches"."receivable_kobo" is null or "line_matches"."kind" = 'returned' or "line_matches"."receivable_kobo" between 0 and "line_matches"."amount_kobo"));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_reason" CHECK ("line_matches"."kind" not in ('operator', 'sent_back') or "line_matches"."reason" is not null);--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_owner" CHECK (num_nonnulls("payee_accounts"."user_id", "payee_accounts"."project_id", "payee_accounts"."line_id") = 1);--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_farm" CHECK (num_nonnulls("payee_accounts"."project_id", "payee_accounts"."line_id") = 0 or "payee_accounts"."request_id" is not null);--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_given" CHECK (("payout_runs"."given_by" is null) = ("payout_runs"."given_at" is null) and ("payout_runs"."given_at" is null or "payout_runs"."exported_at" is not null));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_former" CHECK ("payouts"."former_user_id" is null or "payouts"."former_user_id" <> "payouts"."user_id");--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_kind" CHECK ("payouts"."kind" in ('refund', 'surplus', 'harvest', 'farm', 'returned', 'sender'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_about" CHECK (num_nonnulls("payouts"."refund_id", "payouts"."release_id", "payouts"."settlement_id", "payouts"."return_id", "payouts"."line_id") = 1 and ("payouts"."round" is null) = ("payouts"."kind" = 'sender') and case "payouts"."kind"
        when 'farm' then num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 1 and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id") = 0
        when 'harvest' then num_nonnulls("payouts"."settlement_id", "payouts"."user_id", "payouts"."project_id") = 3 and "payouts"."payment_id" is null
        when 'sender' then "payouts"."line_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id", "payouts"."project_id") = 0
        when 'returned' then num_nonnulls("payouts"."return_id", "payouts"."user_id", "payouts"."payment_id") = 3
        else num_nonnulls("payouts"."refund_id", "payouts"."user_id", "payouts"."payment_id") = 3 end);--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'void_bank_data', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'change_sale', 'lose_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'return_to_backers', 'take_return_back', 'strike_payment', 'change_holder', 'open_harvest', 'change_bank_details', 'refuse_payouts', 'let_payout_go'));--> statement-breakpoint
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
--> statement-breakpoint
-- A run is for the same payouts from its draft to its end. That the bank has its file is said once, after its export.
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
--> statement-breakpoint
-- Money that goes back to its sender is owed under an account of its own.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_dimensions;
--> statement-breakpoint
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_dimensions CHECK (
  num_nonnulls(payment_id, project_id, round, user_id, own_account_id, line_id, payout_id, harvest_id, sale_id) = CASE account
    WHEN 'bank' THEN 1
    WHEN 'opening' THEN 1
    WHEN 'in_transit' THEN 1
    WHEN 'receivable' THEN 1
    WHEN 'unallocated' THEN 1
    WHEN 'unmatched_in' THEN 1
    WHEN 'unmatched_out' THEN 1
    WHEN 'sender_due' THEN 1
    WHEN 'payouts_in_transit' THEN 1
    WHEN 'harvest_proceeds' THEN 1
    WHEN 'harvest_costs' THEN 1
    WHEN 'project_funding' THEN 2
    WHEN 'farm_released' THEN 2
    WHEN 'farm_due' THEN 2
    WHEN 'backer_due' THEN 2
    WHEN 'produce_stock' THEN 2
    WHEN 'produce_due' THEN 2
    ELSE 0
  END
  AND CASE account
    WHEN 'bank' THEN own_account_id IS NOT NULL
    WHEN 'opening' THEN own_account_id IS NOT NULL
    WHEN 'in_transit' THEN num_nonnulls(payment_id, sale_id) = 1
    WHEN 'receivable' THEN num_nonnulls(payment_id, sale_id, payout_id) = 1
    WHEN 'unallocated' THEN payment_id IS NOT NULL
    WHEN 'unmatched_in' THEN line_id IS NOT NULL
    WHEN 'unmatched_out' THEN line_id IS NOT NULL
    WHEN 'sender_due' THEN line_id IS NOT NULL
    WHEN 'payouts_in_transit' THEN payout_id IS NOT NULL
    WHEN 'harvest_proceeds' THEN harvest_id IS NOT NULL
    WHEN 'harvest_costs' THEN harvest_id IS NOT NULL
    WHEN 'project_funding' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'farm_released' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'farm_due' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'backer_due' THEN num_nonnulls(payment_id, harvest_id) = 1 AND user_id IS NOT NULL
    WHEN 'produce_stock' THEN harvest_id IS NOT NULL AND user_id IS NOT NULL
    WHEN 'produce_due' THEN harvest_id IS NOT NULL AND user_id IS NOT NULL
    ELSE true
  END
);
--> statement-breakpoint
-- What goes back to the sender of a line is what its payouts pay.
CREATE OR REPLACE FUNCTION check_payouts_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refund bigint;
  release bigint;
  settlement bigint;
  given_back bigint;
  line bigint;
  owed bigint;
  paid bigint;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'payouts' THEN
      refund := NEW.refund_id; release := NEW.release_id; settlement := NEW.settlement_id; given_back := NEW.return_id;
      line := NEW.line_id;
    WHEN 'refunds' THEN refund := NEW.id;
    WHEN 'settlements' THEN settlement := NEW.id;
    WHEN 'round_returns' THEN given_back := NEW.id;
    WHEN 'line_matches' THEN line := NEW.line_id;
    WHEN 'settlement_strikes' THEN settlement := NEW.settlement_id;
    ELSE release := NEW.id;
  END CASE;
  IF refund IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM refunds WHERE id = refund;
  ELSIF release IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM farm_releases WHERE id = release;
  ELSIF given_back IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM round_returns WHERE id = given_back;
  ELSIF line IS NOT NULL THEN
    SELECT coalesce(sum(amount_kobo), 0) INTO owed FROM line_matches
      WHERE line_id = line AND kind = 'sent_back' AND undone_at IS NULL;
  ELSE
    SELECT CASE WHEN reversed_at IS NULL THEN net_kobo + farm_kobo + farm_costs_kobo - farm_deducted_kobo - coalesce((
        SELECT sum(k.net_kobo) FROM settlement_strikes k WHERE k.settlement_id = settlement), 0) ELSE 0 END INTO owed
      FROM settlements WHERE id = settlement;
  END IF;
  SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
    WHERE (refund_id = refund OR release_id = release OR settlement_id = settlement OR return_id = given_back
      OR line_id = line)
      AND state NOT IN ('failed', 'cancelled');
  IF owed IS DISTINCT FROM paid THEN
    RAISE EXCEPTION 'refund %, release %, settlement %, return % or line % owes % kobo, its payouts are %', refund, release, settlement,
      given_back, line, owed, paid USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_are_what_is_owed';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER lines_sent_back_have_payouts AFTER INSERT OR UPDATE OF undone_at ON line_matches
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'sent_back') EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
-- Changes of holder. What stands in one never changes, apart from its end; its payments and papers are only added.
CREATE FUNCTION refuse_change_of_holder_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.outcome IS NOT NULL OR NEW.outcome IS NULL OR
    to_jsonb(OLD) - ARRAY['outcome', 'ended_at', 'ended_by', 'end_reason', 'backing_id']
    IS DISTINCT FROM to_jsonb(NEW) - ARRAY['outcome', 'ended_at', 'ended_by', 'end_reason', 'backing_id']
  THEN
    RAISE EXCEPTION 'change of holder %: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER holder_changes_stay BEFORE DELETE OR UPDATE ON holder_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_holder_change();
--> statement-breakpoint
CREATE TRIGGER holder_change_payments_append_only BEFORE DELETE OR UPDATE ON holder_change_payments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payment_evidence_append_only BEFORE DELETE OR UPDATE ON payment_evidence
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Whether a payment is a person's, or was before a change of holder.
CREATE FUNCTION has_held(payment bigint, person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM project_payments WHERE id = payment AND user_id = person)
    OR EXISTS (
      SELECT FROM holder_change_payments p JOIN holder_changes c ON c.id = p.change_id
      WHERE p.payment_id = payment AND c.outcome = 'carried_out' AND c.from_user_id = person)
$$;
--> statement-breakpoint
-- A payment is another person's only by a change of holder that was carried out.
CREATE FUNCTION refuse_other_holder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM holder_changes c JOIN holder_change_payments p ON p.change_id = c.id AND p.payment_id = OLD.id
    WHERE c.outcome = 'carried_out' AND c.from_user_id = OLD.user_id AND c.to_user_id = NEW.user_id)
  THEN
    RAISE EXCEPTION 'payment % is another person''s: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER project_payments_holder BEFORE UPDATE OF user_id ON project_payments
  FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION refuse_other_holder();
--> statement-breakpoint
-- So is what is due of it, while it is in no run.
CREATE OR REPLACE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  free CONSTANT text[] := ARRAY['state', 'run_id', 'due_at', 'promised_by', 'sent_at', 'paid_at', 'paid_by', 'paid_session_id',
    'paid_reason', 'failed_at', 'failed_reason', 'refusal_request_id', 'cancelled_at', 'withheld_at', 'withheld_by',
    'withheld_reason', 'let_go_request_id', 'user_id', 'former_user_id'];
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
    OR ((OLD.user_id, OLD.former_user_id) IS DISTINCT FROM (NEW.user_id, NEW.former_user_id) AND (
      OLD.state NOT IN ('waiting', 'due') OR NEW.state NOT IN ('waiting', 'due')
      OR NEW.former_user_id IS DISTINCT FROM nullif(coalesce(OLD.former_user_id, OLD.user_id), NEW.user_id)
      OR NOT EXISTS (
        SELECT FROM holder_changes c WHERE c.outcome = 'carried_out' AND c.from_user_id = OLD.user_id
          AND c.to_user_id = NEW.user_id AND c.project_id = OLD.project_id AND c.round = OLD.round)))
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- What counts in harvests goes along, and produce that lies ready gets another code.
CREATE FUNCTION goes_to_holder(backing bigint, before uuid, after uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM holder_changes c WHERE c.outcome = 'carried_out' AND c.backing_id = backing AND c.from_user_id = before
      AND c.to_user_id = after)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_change_of_harvest_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others text[] := ARRAY['user_id', 'code', 'collected_at', 'collected_by', 'uncollected_at', 'struck_kobo'];
BEGIN
  IF (OLD.harvest_id, OLD.backing_id) IS DISTINCT FROM (NEW.harvest_id, NEW.backing_id)
    OR (OLD.user_id <> NEW.user_id AND NOT goes_to_holder(OLD.backing_id, OLD.user_id, NEW.user_id))
    OR NEW.weight_kobo > OLD.weight_kobo OR NEW.struck_kobo < OLD.struck_kobo
    OR (OLD.quantity IS NOT NULL AND (to_jsonb(OLD) - others IS DISTINCT FROM to_jsonb(NEW) - others
      OR (OLD.user_id = NEW.user_id AND OLD.code IS DISTINCT FROM NEW.code)))
    OR (num_nonnulls(OLD.collected_at, OLD.uncollected_at) > 0 AND (OLD.collected_at, OLD.collected_by, OLD.uncollected_at)
      IS DISTINCT FROM (NEW.collected_at, NEW.collected_by, NEW.uncollected_at))
  THEN
    RAISE EXCEPTION 'part of backing % in harvest %: change refused', OLD.backing_id, OLD.harvest_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_change_of_round_weight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - ARRAY['struck_kobo', 'user_id'] = to_jsonb(NEW) - ARRAY['struck_kobo', 'user_id']
    AND NEW.struck_kobo >= OLD.struck_kobo
    AND (OLD.user_id = NEW.user_id OR goes_to_holder(OLD.backing_id, OLD.user_id, NEW.user_id))
  THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' OR EXISTS (
    SELECT FROM harvests h WHERE h.project_id = OLD.project_id AND h.round = OLD.round AND (
      (h.state <> 'withdrawn' AND (h.opened_at IS NOT NULL OR h.state IN ('lost', 'settled', 'done')))
      OR EXISTS (SELECT FROM settlements s WHERE s.harvest_id = h.id)))
  THEN
    RAISE EXCEPTION 'what backing % counts in round % of project %: change refused', OLD.backing_id, OLD.round, OLD.project_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
