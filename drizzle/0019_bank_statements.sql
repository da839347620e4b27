-- Waits for the running transactions in their own order of locks, so that a process of the earlier version that still works
-- meets no deadlock.
LOCK TABLE "users", "settings" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "project_payments", "refunds", "ledger_transactions", "ledger_entries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "line_matches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "line_matches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"line_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"payment_id" bigint,
	"counter_line_id" bigint,
	"rule" text,
	"reason" text,
	"made_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"undone_by" uuid,
	"undone_reason" text,
	CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges')),
	CONSTRAINT "line_matches_amount" CHECK ("line_matches"."amount_kobo" > 0),
	CONSTRAINT "line_matches_about" CHECK (("line_matches"."kind" in ('payment', 'taken_back', 'loss')) = ("line_matches"."payment_id" is not null) and ("line_matches"."kind" = 'own_transfer') = ("line_matches"."counter_line_id" is not null)),
	CONSTRAINT "line_matches_reason" CHECK ("line_matches"."kind" <> 'operator' or "line_matches"."reason" is not null),
	CONSTRAINT "line_matches_undone" CHECK (("line_matches"."undone_at" is null) = ("line_matches"."undone_by" is null))
);
--> statement-breakpoint
CREATE TABLE "own_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bank_name" text NOT NULL,
	"account_name" text NOT NULL,
	"account_number" text NOT NULL,
	"bank_code" text,
	"is_active" boolean NOT NULL,
	"is_original" boolean NOT NULL,
	"mapping" jsonb,
	"opened_on" date,
	"opening_kobo" bigint,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "own_accounts_number_key" UNIQUE("account_number","bank_name"),
	CONSTRAINT "own_accounts_number" CHECK ("own_accounts"."account_number" ~ '^[0-9]{10}$'),
	CONSTRAINT "own_accounts_bank_code" CHECK ("own_accounts"."bank_code" ~ '^([0-9]{3}|[0-9]{6})$'),
	CONSTRAINT "own_accounts_opened" CHECK (("own_accounts"."opened_on" is null) = ("own_accounts"."opening_kobo" is null))
);
--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statement_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"own_account_id" bigint NOT NULL,
	"statement_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"position" integer NOT NULL,
	"date" date NOT NULL,
	"value_date" date,
	"amount_kobo" bigint NOT NULL,
	"balance_kobo" bigint,
	"gap_kobo" bigint,
	"narration" text NOT NULL,
	"bank_reference" text,
	"customer_reference" text,
	"counterparty" text,
	"session_id" text,
	"is_reversal" boolean NOT NULL,
	"reference" text,
	"suggested_rule" text,
	"fingerprint" text NOT NULL,
	"repetition" integer NOT NULL,
	"matched_kobo" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statement_lines_once" UNIQUE("own_account_id","fingerprint","repetition"),
	CONSTRAINT "statement_lines_amount" CHECK ("statement_lines"."amount_kobo" <> 0),
	CONSTRAINT "statement_lines_matched" CHECK ("statement_lines"."matched_kobo" between 0 and abs("statement_lines"."amount_kobo")),
	CONSTRAINT "statement_lines_repetition" CHECK ("statement_lines"."repetition" >= 0)
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"own_account_id" bigint NOT NULL,
	"file_name" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" integer NOT NULL,
	"format" text NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"lines" integer NOT NULL,
	"new_lines" integer NOT NULL,
	"pending_entries" integer NOT NULL,
	"opening_kobo" bigint,
	"closing_kobo" bigint,
	"gap_reason" text,
	"imported_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statements_days" CHECK ("statements"."first_day" <= "statements"."last_day"),
	CONSTRAINT "statements_lines" CHECK ("statements"."new_lines" between 0 and "statements"."lines")
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_one_per_account";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_reason";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "project_title" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "round" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "project_payments" ALTER COLUMN "current_receipt_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "own_account_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "line_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "own_account_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "line_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "match_id" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "taken_back_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "taken_back_by" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "taken_back_reason" text;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_counter_line_id_statement_lines_id_fk" FOREIGN KEY ("counter_line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_accounts" ADD CONSTRAINT "own_accounts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "line_matches_of_line" ON "line_matches" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "line_matches_of_counter_line" ON "line_matches" USING btree ("counter_line_id") WHERE "line_matches"."counter_line_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_payment" ON "line_matches" USING btree ("payment_id") WHERE "line_matches"."payment_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "own_accounts_one_active" ON "own_accounts" USING btree ("is_active") WHERE "own_accounts"."is_active";--> statement-breakpoint
CREATE UNIQUE INDEX "own_accounts_one_original" ON "own_accounts" USING btree ("is_original") WHERE "own_accounts"."is_original";--> statement-breakpoint
CREATE INDEX "statement_lines_of_account" ON "statement_lines" USING btree ("own_account_id","position");--> statement-breakpoint
CREATE INDEX "statement_lines_of_day" ON "statement_lines" USING btree ("own_account_id","date");--> statement-breakpoint
CREATE INDEX "statement_lines_of_amount" ON "statement_lines" USING btree ("amount_kobo","date");--> statement-breakpoint
CREATE INDEX "statement_lines_to_explain" ON "statement_lines" USING btree ("own_account_id","position") WHERE "statement_lines"."matched_kobo" <> abs("statement_lines"."amount_kobo");--> statement-breakpoint
CREATE INDEX "statement_lines_of_reference" ON "statement_lines" USING btree ("reference") WHERE "statement_lines"."reference" is not null;--> statement-breakpoint
CREATE INDEX "statements_of_account" ON "statements" USING btree ("own_account_id","last_day");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_taken_back_by_users_id_fk" FOREIGN KEY ("taken_back_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_line" ON "ledger_entries" USING btree ("account","line_id") WHERE "ledger_entries"."line_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_own_account" ON "ledger_entries" USING btree ("account","own_account_id") WHERE "ledger_entries"."account" in ('bank', 'opening_difference');--> statement-breakpoint
CREATE INDEX "project_payments_of_reference" ON "project_payments" USING btree ("reference");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_one_per_account" UNIQUE NULLS NOT DISTINCT("transaction_id","account","payment_id","project_id","round","user_id","own_account_id","line_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_opened_once" UNIQUE("own_account_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_line_once" UNIQUE("line_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_match_once" UNIQUE("match_id","kind");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'in_transit', 'unmatched_in', 'unmatched_out', 'receipts_held', 'project_funding', 'backer_due', 'bank_charges', 'opening_difference', 'operator', 'losses'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payment" CHECK (num_nonnulls("ledger_transactions"."payment_id", "ledger_transactions"."project_title", "ledger_transactions"."round", "ledger_transactions"."user_id") in (0, 4) and ("ledger_transactions"."payment_id" is not null or ("ledger_transactions"."project_id" is null and "ledger_transactions"."kind" not in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival'))));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_project" CHECK ("ledger_transactions"."project_id" is not null or "ledger_transactions"."kind" not in ('approval', 'reversal'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_opening" CHECK (("ledger_transactions"."kind" = 'opening') = ("ledger_transactions"."own_account_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_line" CHECK (("ledger_transactions"."kind" = 'line') = ("ledger_transactions"."line_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_match" CHECK (("ledger_transactions"."kind" in ('match', 'undone_match')) = ("ledger_transactions"."match_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'opening', 'line', 'match', 'undone_match'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_taken_back" CHECK (num_nonnulls("refunds"."taken_back_at", "refunds"."taken_back_by", "refunds"."taken_back_reason") in (0, 3));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_reason" CHECK ("refunds"."reason" in ('not_funded', 'not_approved', 'lots_gone', 'surplus'));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'book_loss'));--> statement-breakpoint
-- The dimensions of each account. Not valid, because the oldest entries have none and stay as they are.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_dimensions;--> statement-breakpoint
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_dimensions CHECK (
  num_nonnulls(payment_id, project_id, round, user_id, own_account_id, line_id) = CASE account
    WHEN 'bank' THEN num_nonnulls(own_account_id)
    WHEN 'opening_difference' THEN 1
    WHEN 'in_transit' THEN 1
    WHEN 'receipts_held' THEN 1
    WHEN 'unmatched_in' THEN 1
    WHEN 'unmatched_out' THEN 1
    WHEN 'project_funding' THEN 2
    WHEN 'backer_due' THEN 2
    ELSE 0
  END
  AND CASE account
    WHEN 'opening_difference' THEN own_account_id IS NOT NULL
    WHEN 'in_transit' THEN payment_id IS NOT NULL
    WHEN 'receipts_held' THEN payment_id IS NOT NULL
    WHEN 'unmatched_in' THEN line_id IS NOT NULL
    WHEN 'unmatched_out' THEN line_id IS NOT NULL
    WHEN 'project_funding' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'backer_due' THEN payment_id IS NOT NULL AND user_id IS NOT NULL
    ELSE true
  END
) NOT VALID;--> statement-breakpoint

-- What a bank told stays as it told it.
CREATE FUNCTION refuse_change_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'line % of a statement is what the bank told: change refused', OLD.id USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER statement_lines_stay BEFORE DELETE OR UPDATE OF id, own_account_id, statement_id, "row", date, value_date,
  amount_kobo, balance_kobo, narration, bank_reference, customer_reference, counterparty, session_id, is_reversal, reference,
  fingerprint, repetition ON statement_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_line();--> statement-breakpoint
CREATE TRIGGER statement_lines_not_truncated BEFORE TRUNCATE ON statement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint

-- A match is undone once; nothing else of it changes.
CREATE FUNCTION refuse_change_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.undone_at IS NOT NULL OR
    (OLD.id, OLD.line_id, OLD.kind, OLD.amount_kobo, OLD.payment_id, OLD.counter_line_id, OLD.rule, OLD.reason, OLD.made_by, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.line_id, NEW.kind, NEW.amount_kobo, NEW.payment_id, NEW.counter_line_id, NEW.rule, NEW.reason, NEW.made_by, NEW.created_at)
  THEN
    RAISE EXCEPTION 'match % of a line: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER line_matches_stay BEFORE DELETE OR UPDATE ON line_matches
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_match();--> statement-breakpoint

-- A line's cached sum is that of its standing matches.
CREATE FUNCTION check_line_matches(checked bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cached bigint;
  matched bigint;
BEGIN
  SELECT matched_kobo INTO cached FROM statement_lines WHERE id = checked;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(sum(amount_kobo), 0) INTO matched FROM line_matches
    WHERE (line_id = checked OR counter_line_id = checked) AND undone_at IS NULL;
  IF cached <> matched THEN
    RAISE EXCEPTION 'line % shows % kobo matched, its matches have %', checked, cached, matched
      USING ERRCODE = 'check_violation', CONSTRAINT = 'line_matched_is_its_matches';
  END IF;
END $$;--> statement-breakpoint
CREATE FUNCTION check_matches_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_line_matches(NEW.id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION check_lines_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_line_matches(NEW.line_id);
  IF NEW.counter_line_id IS NOT NULL THEN PERFORM check_line_matches(NEW.counter_line_id); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER statement_lines_count_matches AFTER UPDATE OF matched_kobo ON statement_lines
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_matches_of_line();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER line_matches_counted AFTER INSERT OR UPDATE OF undone_at ON line_matches
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_lines_of_match();--> statement-breakpoint

-- The account that backers have transferred to so far, if all of its parts are set.
INSERT INTO own_accounts (bank_name, account_name, account_number, is_active, is_original)
  SELECT bank.value, name.value, number.value, true, true
  FROM settings bank JOIN settings name ON name.key = 'bankaccountname' JOIN settings number ON number.key = 'bankaccountnumber'
  WHERE bank.key = 'bankname' AND bank.value <> '' AND name.value <> '' AND number.value ~ '^[0-9]{10}$';
