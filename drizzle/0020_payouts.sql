-- Waits for the running transactions in their own order of locks, so that a process of the earlier version that still works
-- meets no deadlock.
LOCK TABLE "users" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "project_payments", "refunds" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "line_matches", "ledger_transactions", "ledger_entries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "farm_releases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_releases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	"taken_back_by" uuid,
	"taken_back_reason" text,
	CONSTRAINT "farm_releases_amount" CHECK ("farm_releases"."amount_kobo" > 0),
	CONSTRAINT "farm_releases_taken_back" CHECK (num_nonnulls("farm_releases"."taken_back_at", "farm_releases"."taken_back_by", "farm_releases"."taken_back_reason") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "payee_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payee_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid,
	"project_id" integer,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"usable_from" timestamp (3) with time zone NOT NULL,
	"added_by" uuid NOT NULL,
	"request_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp (3) with time zone,
	CONSTRAINT "payee_accounts_owner" CHECK (num_nonnulls("payee_accounts"."user_id", "payee_accounts"."project_id") = 1),
	CONSTRAINT "payee_accounts_own" CHECK ("payee_accounts"."user_id" is null or "payee_accounts"."added_by" = "payee_accounts"."user_id" or "payee_accounts"."request_id" is not null),
	CONSTRAINT "payee_accounts_number" CHECK ("payee_accounts"."account_number" ~ '^[0-9]{10}$'),
	CONSTRAINT "payee_accounts_bank_code" CHECK ("payee_accounts"."bank_code" ~ '^([0-9]{3}|[0-9]{6})$')
);
--> statement-breakpoint
CREATE TABLE "payout_files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" bigint NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb NOT NULL,
	"sha256" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payout_files_one_per_format" UNIQUE("run_id","format"),
	CONSTRAINT "payout_files_format" CHECK ("payout_files"."format" in ('csv', 'xlsx')),
	CONSTRAINT "payout_files_hash" CHECK ("payout_files"."sha256" = encode(sha256("payout_files"."bytes"), 'hex'))
);
--> statement-breakpoint
CREATE TABLE "payout_run_lines" (
	"run_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"payout_id" bigint NOT NULL,
	"payee_account_id" bigint NOT NULL,
	CONSTRAINT "payout_run_lines_run_id_position_pk" PRIMARY KEY("run_id","position"),
	CONSTRAINT "payout_run_lines_once" UNIQUE("run_id","payout_id")
);
--> statement-breakpoint
CREATE TABLE "payout_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text DEFAULT 'draft' NOT NULL,
	"own_account_id" bigint NOT NULL,
	"payouts" integer NOT NULL,
	"total_kobo" bigint NOT NULL,
	"lines_sha256" text NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"approved_by" uuid,
	"approved_at" timestamp (3) with time zone,
	"alone_reason" text,
	"exported_by" uuid,
	"exported_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"voided_by" uuid,
	"voided_at" timestamp (3) with time zone,
	"void_reason" text,
	CONSTRAINT "payout_runs_state" CHECK ("payout_runs"."state" in ('draft', 'approved', 'exported', 'closed', 'void')),
	CONSTRAINT "payout_runs_size" CHECK ("payout_runs"."payouts" > 0 and "payout_runs"."total_kobo" > 0),
	CONSTRAINT "payout_runs_approved" CHECK (("payout_runs"."approved_by" is null) = ("payout_runs"."approved_at" is null) and ("payout_runs"."state" in ('draft', 'void') or "payout_runs"."approved_at" is not null)),
	CONSTRAINT "payout_runs_two_people" CHECK ("payout_runs"."approved_by" is null or ("payout_runs"."approved_by" = "payout_runs"."made_by") = ("payout_runs"."alone_reason" is not null)),
	CONSTRAINT "payout_runs_exported" CHECK (("payout_runs"."exported_by" is null) = ("payout_runs"."exported_at" is null) and ("payout_runs"."state" in ('exported', 'closed')) = ("payout_runs"."exported_at" is not null)),
	CONSTRAINT "payout_runs_closed" CHECK (("payout_runs"."state" = 'closed') = ("payout_runs"."closed_at" is not null)),
	CONSTRAINT "payout_runs_void" CHECK (num_nonnulls("payout_runs"."voided_by", "payout_runs"."voided_at", "payout_runs"."void_reason") = case "payout_runs"."state" when 'void' then 3 else 0 end)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"user_id" uuid,
	"refund_id" bigint,
	"release_id" bigint,
	"payment_id" bigint,
	"project_id" integer,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"part" integer NOT NULL,
	"parts" integer NOT NULL,
	"reference" text NOT NULL,
	"run_id" bigint,
	"replaces_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone,
	"promised_by" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"paid_at" timestamp (3) with time zone,
	"paid_by" uuid,
	"paid_session_id" text,
	"paid_reason" text,
	"failed_at" timestamp (3) with time zone,
	"failed_reason" text,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_reference_key" UNIQUE("reference"),
	CONSTRAINT "payouts_replaced_once" UNIQUE("replaces_id"),
	CONSTRAINT "payouts_session_id_key" UNIQUE("paid_session_id"),
	CONSTRAINT "payouts_kind" CHECK ("payouts"."kind" in ('refund', 'surplus', 'farm')),
	CONSTRAINT "payouts_state" CHECK ("payouts"."state" in ('waiting', 'due', 'in_run', 'sent', 'paid', 'failed', 'cancelled')),
	CONSTRAINT "payouts_about" CHECK (case "payouts"."kind" when 'farm' then "payouts"."release_id" is not null and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."refund_id", "payouts"."payment_id") = 0
        else "payouts"."release_id" is null and num_nonnulls("payouts"."user_id", "payouts"."refund_id", "payouts"."payment_id") = 3 end),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount_kobo" > 0),
	CONSTRAINT "payouts_parts" CHECK ("payouts"."part" between 1 and "payouts"."parts"),
	CONSTRAINT "payouts_in_run" CHECK (("payouts"."run_id" is not null) or "payouts"."state" in ('waiting', 'due', 'cancelled')),
	CONSTRAINT "payouts_not_in_run" CHECK (("payouts"."run_id" is null) or "payouts"."state" in ('in_run', 'sent', 'paid', 'failed')),
	CONSTRAINT "payouts_due" CHECK (("payouts"."due_at" is null) = ("payouts"."promised_by" is null) and ("payouts"."due_at" is not null or "payouts"."state" in ('waiting', 'cancelled'))),
	CONSTRAINT "payouts_sent" CHECK (("payouts"."sent_at" is not null) = ("payouts"."state" in ('sent', 'paid', 'failed'))),
	CONSTRAINT "payouts_paid" CHECK (("payouts"."state" <> 'paid' or "payouts"."paid_at" is not null) and ("payouts"."paid_at" is null or "payouts"."state" in ('paid', 'failed'))),
	CONSTRAINT "payouts_paid_by_hand" CHECK (num_nonnulls("payouts"."paid_by", "payouts"."paid_session_id", "payouts"."paid_reason") in (0, 3) and ("payouts"."paid_by" is null or "payouts"."paid_at" is not null)),
	CONSTRAINT "payouts_failed" CHECK (num_nonnulls("payouts"."failed_at", "payouts"."failed_reason") = case "payouts"."state" when 'failed' then 2 else 0 end),
	CONSTRAINT "payouts_cancelled" CHECK (("payouts"."cancelled_at" is not null) = ("payouts"."state" = 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_one_per_account";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_kind";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_about";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "payout_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "payout_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "payout_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "release_id" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "contact_email" text;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_taken_back_by_users_id_fk" FOREIGN KEY ("taken_back_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_files" ADD CONSTRAINT "payout_files_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_run_lines" ADD CONSTRAINT "payout_run_lines_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_run_lines" ADD CONSTRAINT "payout_run_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_run_lines" ADD CONSTRAINT "payout_run_lines_payee_account_id_payee_accounts_id_fk" FOREIGN KEY ("payee_account_id") REFERENCES "public"."payee_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_approved_by_users_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_exported_by_users_id_fk" FOREIGN KEY ("exported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_voided_by_users_id_fk" FOREIGN KEY ("voided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_release_id_farm_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."farm_releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_replaces_id_payouts_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_paid_by_users_id_fk" FOREIGN KEY ("paid_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "farm_releases_of_round" ON "farm_releases" USING btree ("project_id","round");--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_person" ON "payee_accounts" USING btree ("user_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_farm" ON "payee_accounts" USING btree ("project_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "payee_accounts_of_person" ON "payee_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payout_run_lines_of_payout" ON "payout_run_lines" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payout_run_lines_of_account" ON "payout_run_lines" USING btree ("payee_account_id");--> statement-breakpoint
CREATE INDEX "payout_runs_of_state" ON "payout_runs" USING btree ("state");--> statement-breakpoint
CREATE INDEX "payouts_of_person" ON "payouts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payouts_of_state" ON "payouts" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "payouts_of_refund" ON "payouts" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "payouts_of_release" ON "payouts" USING btree ("release_id");--> statement-breakpoint
CREATE INDEX "payouts_of_run" ON "payouts" USING btree ("run_id");--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_payout_once" ON "line_matches" USING btree ("payout_id","kind") WHERE "line_matches"."undone_at" is null and "line_matches"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payout" ON "ledger_entries" USING btree ("account","payout_id") WHERE "ledger_entries"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_round" ON "ledger_entries" USING btree ("account","project_id","round") WHERE "ledger_entries"."account" in ('farm_released', 'farm_due');--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_one_per_account" UNIQUE NULLS NOT DISTINCT("transaction_id","account","payment_id","project_id","round","user_id","own_account_id","line_id","payout_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payout_once" UNIQUE("payout_id","kind");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_release_once" UNIQUE("release_id","kind");--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges', 'payout', 'returned'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_about" CHECK (("line_matches"."kind" in ('payment', 'taken_back', 'loss')) = ("line_matches"."payment_id" is not null) and ("line_matches"."kind" in ('payout', 'returned')) = ("line_matches"."payout_id" is not null) and ("line_matches"."kind" = 'own_transfer') = ("line_matches"."counter_line_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'in_transit', 'unmatched_in', 'unmatched_out', 'receipts_held', 'project_funding', 'backer_due', 'payouts_in_transit', 'farm_released', 'farm_due', 'bank_charges', 'opening_difference', 'operator', 'losses'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payout" CHECK (("ledger_transactions"."kind" in ('payout_sent', 'payout_failed', 'payout_paid_by_hand')) = ("ledger_transactions"."payout_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_release" CHECK (("ledger_transactions"."kind" in ('farm_release', 'farm_release_taken_back')) = ("ledger_transactions"."release_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'opening', 'line', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'payout_paid_by_hand', 'farm_release', 'farm_release_taken_back'));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'book_loss', 'fail_payout', 'enter_payee_account'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_contact_email" CHECK ("users"."contact_email" is null or "users"."closed_at" is not null);--> statement-breakpoint
-- The dimensions of each account. Not valid, because the oldest entries have none and stay as they are.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_dimensions;--> statement-breakpoint
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_dimensions CHECK (
  num_nonnulls(payment_id, project_id, round, user_id, own_account_id, line_id, payout_id) = CASE account
    WHEN 'bank' THEN num_nonnulls(own_account_id)
    WHEN 'opening_difference' THEN 1
    WHEN 'in_transit' THEN 1
    WHEN 'receipts_held' THEN 1
    WHEN 'unmatched_in' THEN 1
    WHEN 'unmatched_out' THEN 1
    WHEN 'payouts_in_transit' THEN 1
    WHEN 'project_funding' THEN 2
    WHEN 'farm_released' THEN 2
    WHEN 'farm_due' THEN 2
    WHEN 'backer_due' THEN 2
    ELSE 0
  END
  AND CASE account
    WHEN 'opening_difference' THEN own_account_id IS NOT NULL
    WHEN 'in_transit' THEN payment_id IS NOT NULL
    WHEN 'receipts_held' THEN payment_id IS NOT NULL
    WHEN 'unmatched_in' THEN line_id IS NOT NULL
    WHEN 'unmatched_out' THEN line_id IS NOT NULL
    WHEN 'payouts_in_transit' THEN payout_id IS NOT NULL
    WHEN 'project_funding' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'farm_released' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'farm_due' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'backer_due' THEN payment_id IS NOT NULL AND user_id IS NOT NULL
    ELSE true
  END
) NOT VALID;--> statement-breakpoint

-- A match is undone once; nothing else of it changes. That a payout came back is never undone.
CREATE OR REPLACE FUNCTION refuse_change_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.undone_at IS NOT NULL OR OLD.kind = 'returned' OR
    (OLD.id, OLD.line_id, OLD.kind, OLD.amount_kobo, OLD.payment_id, OLD.payout_id, OLD.counter_line_id, OLD.rule, OLD.reason,
      OLD.made_by, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.line_id, NEW.kind, NEW.amount_kobo, NEW.payment_id, NEW.payout_id, NEW.counter_line_id, NEW.rule, NEW.reason,
      NEW.made_by, NEW.created_at)
  THEN
    RAISE EXCEPTION 'match % of a line: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint

-- A payout goes forward, and back only from a void run or an undone match. What it is for never changes.
CREATE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.kind, OLD.user_id, OLD.refund_id, OLD.release_id, OLD.payment_id, OLD.project_id, OLD.project_title, OLD.round,
      OLD.amount_kobo, OLD.part, OLD.parts, OLD.reference, OLD.replaces_id, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.kind, NEW.user_id, NEW.refund_id, NEW.release_id, NEW.payment_id, NEW.project_id, NEW.project_title, NEW.round,
      NEW.amount_kobo, NEW.part, NEW.parts, NEW.reference, NEW.replaces_id, NEW.created_at)
    OR (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'due'), ('waiting', 'cancelled'), ('due', 'due'),
      ('due', 'waiting'), ('due', 'in_run'), ('due', 'cancelled'), ('in_run', 'in_run'), ('in_run', 'due'), ('in_run', 'sent'),
      ('sent', 'sent'), ('sent', 'paid'), ('sent', 'failed'), ('paid', 'paid'), ('paid', 'sent'), ('paid', 'failed'))
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER payouts_stay BEFORE DELETE OR UPDATE ON payouts
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_payout();--> statement-breakpoint

-- A run is for the same payouts from its draft to its end.
CREATE FUNCTION refuse_change_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.own_account_id, OLD.payouts, OLD.total_kobo, OLD.lines_sha256, OLD.made_by, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.own_account_id, NEW.payouts, NEW.total_kobo, NEW.lines_sha256, NEW.made_by, NEW.created_at)
    OR (OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approved_at, OLD.alone_reason)
      IS DISTINCT FROM (NEW.approved_by, NEW.approved_at, NEW.alone_reason))
    OR (OLD.exported_by IS NOT NULL AND (OLD.exported_by, OLD.exported_at) IS DISTINCT FROM (NEW.exported_by, NEW.exported_at))
    OR (OLD.state, NEW.state) NOT IN (('draft', 'approved'), ('draft', 'void'), ('approved', 'exported'), ('approved', 'void'),
      ('exported', 'closed'), ('closed', 'exported'))
  THEN
    RAISE EXCEPTION 'run % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER payout_runs_stay BEFORE DELETE OR UPDATE ON payout_runs
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_run();--> statement-breakpoint
CREATE TRIGGER payout_run_lines_append_only BEFORE DELETE OR UPDATE ON payout_run_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER payout_files_append_only BEFORE DELETE OR UPDATE ON payout_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint

-- An account that money may have gone to stays as it was; only that it isn't used any more is written.
CREATE FUNCTION refuse_change_of_payee_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.replaced_at IS NOT NULL OR to_jsonb(OLD) - 'replaced_at' IS DISTINCT FROM to_jsonb(NEW) - 'replaced_at' THEN
    RAISE EXCEPTION 'payee account % : change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER payee_accounts_stay BEFORE UPDATE ON payee_accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_payee_account();--> statement-breakpoint

-- What a refund or a release owes is what its payouts pay. A process of the version before payouts is refused a refund.
CREATE FUNCTION check_payouts_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refund bigint;
  release bigint;
  owed bigint;
  paid bigint;
BEGIN
  IF TG_TABLE_NAME = 'payouts' THEN refund := NEW.refund_id; release := NEW.release_id;
  ELSIF TG_TABLE_NAME = 'refunds' THEN refund := NEW.id;
  ELSE release := NEW.id;
  END IF;
  IF refund IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM refunds WHERE id = refund;
    SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
      WHERE refund_id = refund AND state NOT IN ('failed', 'cancelled');
  ELSE
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM farm_releases WHERE id = release;
    SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
      WHERE release_id = release AND state NOT IN ('failed', 'cancelled');
  END IF;
  IF owed IS DISTINCT FROM paid THEN
    RAISE EXCEPTION 'refund % or release % owes % kobo, its payouts are %', refund, release, owed, paid
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_are_what_is_owed';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER refunds_have_payouts AFTER INSERT OR UPDATE OF amount_kobo, taken_back_at ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER farm_releases_have_payouts AFTER INSERT OR UPDATE OF amount_kobo, taken_back_at ON farm_releases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER payouts_are_owed AFTER INSERT OR UPDATE OF state ON payouts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();--> statement-breakpoint

-- The refunds that are due already get their payouts. Nobody has said where to yet.
CREATE FUNCTION new_payout_reference() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT 'GP-' || left(code, 4) || '-' || right(code, 4) FROM (
    SELECT string_agg(substr('23456789ABCDEFGHJKMNPQRSTWXYZ', 1 + floor(random() * 29)::int, 1), '') AS code
    FROM generate_series(1, 8)
  ) made
$$;--> statement-breakpoint
INSERT INTO payouts (kind, state, user_id, refund_id, payment_id, project_id, project_title, round, amount_kobo, part, parts,
    reference, created_at)
  SELECT CASE f.reason WHEN 'surplus' THEN 'surplus' ELSE 'refund' END, 'waiting', f.user_id, f.id, f.payment_id, p.project_id,
    p.project_title, p.round, least(500000000, f.amount_kobo - (part - 1) * 500000000), part,
    ceil(f.amount_kobo / 500000000.0)::int, new_payout_reference(), f.created_at
  FROM refunds f JOIN project_payments p ON p.id = f.payment_id
    CROSS JOIN LATERAL generate_series(1, ceil(f.amount_kobo / 500000000.0)::bigint) part
  WHERE f.taken_back_at IS NULL
  ORDER BY f.id, part;--> statement-breakpoint
DROP FUNCTION new_payout_reference();
