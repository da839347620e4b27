CREATE TABLE "voids" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "voids_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"what" text NOT NULL,
	"own_account_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voids_what" CHECK ("voids"."what" in ('statement', 'line', 'opening'))
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_opened_once";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_line_once";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_opening";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_line";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "statement_lines" ALTER COLUMN "own_account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ALTER COLUMN "own_account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "own_accounts" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD COLUMN "void_id" bigint;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "void_id" bigint;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "voids_of_account" ON "voids" USING btree ("own_account_id");--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_void_id_voids_id_fk" FOREIGN KEY ("void_id") REFERENCES "public"."voids"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_void_id_voids_id_fk" FOREIGN KEY ("void_id") REFERENCES "public"."voids"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statement_lines_of_void" ON "statement_lines" USING btree ("void_id") WHERE "statement_lines"."void_id" is not null;--> statement-breakpoint
CREATE INDEX "statements_of_void" ON "statements" USING btree ("void_id") WHERE "statements"."void_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_line_once" UNIQUE("line_id","kind");--> statement-breakpoint
ALTER TABLE "own_accounts" ADD CONSTRAINT "own_accounts_closed" CHECK ("own_accounts"."closed_at" is null or not "own_accounts"."is_active");--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_void" CHECK (("statement_lines"."own_account_id" is null) = ("statement_lines"."void_id" is not null));--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_void_unmatched" CHECK ("statement_lines"."void_id" is null or "statement_lines"."matched_kobo" = 0);--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_void" CHECK (("statements"."own_account_id" is null) = ("statements"."void_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'opening', 'line', 'voided_line', 'voided_opening', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'farm_release', 'farm_release_taken_back', 'round_return', 'round_return_taken_back', 'sale_declared', 'sale_taken_back', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_opening" CHECK (("ledger_transactions"."kind" in ('opening', 'voided_opening')) = ("ledger_transactions"."own_account_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_line" CHECK (("ledger_transactions"."kind" in ('line', 'voided_line')) = ("ledger_transactions"."line_id" is not null));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'void_bank_data', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'return_to_backers', 'take_return_back', 'change_bank_details'));--> statement-breakpoint
-- What a bank told stays as it told it. A fuller text takes the place of one that is kept beside it, and a void ends that the line
-- is its account's.
CREATE OR REPLACE FUNCTION refuse_change_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  texts CONSTANT text[] := ARRAY['narration', 'bank_reference', 'counterparty', 'session_id', 'reference', 'fingerprint', 'repetition'];
  free CONSTANT text[] := ARRAY['position', 'gap_kobo', 'suggested_rule', 'matched_kobo'];
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - texts - free = to_jsonb(NEW) - texts - free
    AND EXISTS (SELECT FROM statement_line_texts told WHERE told.line_id = OLD.id AND told.fingerprint = OLD.fingerprint
      AND told.narration = OLD.narration AND told.bank_reference IS NOT DISTINCT FROM OLD.bank_reference)
  THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.void_id IS NULL AND NEW.void_id IS NOT NULL
    AND to_jsonb(OLD) - free - 'own_account_id' - 'void_id' = to_jsonb(NEW) - free - 'own_account_id' - 'void_id'
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'line % of a statement is what the bank told: change refused', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER statement_lines_stay ON statement_lines;
--> statement-breakpoint
CREATE TRIGGER statement_lines_stay BEFORE DELETE OR UPDATE OF id, own_account_id, void_id, statement_id, "row", date, value_date,
  amount_kobo, balance_kobo, narration, bank_reference, customer_reference, counterparty, session_id, is_reversal, reference,
  fingerprint, repetition ON statement_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_line();
