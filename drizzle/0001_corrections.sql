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
CREATE TABLE "round_returns" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "round_returns_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	"taken_back_by" uuid,
	"taken_back_reason" text,
	CONSTRAINT "round_returns_amount" CHECK ("round_returns"."amount_kobo" > 0),
	CONSTRAINT "round_returns_taken_back" CHECK (num_nonnulls("round_returns"."taken_back_at", "round_returns"."taken_back_by", "round_returns"."taken_back_reason") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "payment_strikes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_strikes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"lost_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"struck_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_strikes_once" UNIQUE("payment_id"),
	CONSTRAINT "payment_strikes_lost" CHECK ("payment_strikes"."lost_kobo" > 0)
);
--> statement-breakpoint
CREATE TABLE "settlement_strikes" (
	"strike_id" bigint NOT NULL,
	"settlement_id" bigint NOT NULL,
	"backing_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"share_kobo" bigint NOT NULL,
	"fee_kobo" bigint NOT NULL,
	"vat_kobo" bigint NOT NULL,
	"wht_kobo" bigint NOT NULL,
	"net_kobo" bigint NOT NULL,
	CONSTRAINT "settlement_strikes_strike_id_settlement_id_backing_id_pk" PRIMARY KEY("strike_id","settlement_id","backing_id"),
	CONSTRAINT "settlement_strikes_sums" CHECK ("settlement_strikes"."net_kobo" > 0 and least("settlement_strikes"."fee_kobo", "settlement_strikes"."vat_kobo", "settlement_strikes"."wht_kobo") >= 0
        and "settlement_strikes"."share_kobo" = "settlement_strikes"."net_kobo" + "settlement_strikes"."fee_kobo" + "settlement_strikes"."vat_kobo" + "settlement_strikes"."wht_kobo")
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_opened_once";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_line_once";--> statement-breakpoint
ALTER TABLE "payout_files" DROP CONSTRAINT "payout_files_one_per_format";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_payment";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_opening";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_line";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_kind";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_about";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_credit";--> statement-breakpoint
ALTER TABLE "payment_references" DROP CONSTRAINT "payment_references_agreed";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_kind";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_about";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
DROP INDEX "line_matches_payout_once";--> statement-breakpoint
ALTER TABLE "statement_lines" ALTER COLUMN "own_account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ALTER COLUMN "own_account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "round" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "terms_version" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "agreed_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "lots" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "lot_price_kobo" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "project_payments" ALTER COLUMN "agreed_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "own_accounts" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD COLUMN "void_id" bigint;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "void_id" bigint;--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD COLUMN "struck_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "harvest_sales" ADD COLUMN "lost_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "harvests" ADD COLUMN "unwritten_lost_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "round_weights" ADD COLUMN "struck_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "return_id" bigint;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "release_id" bigint;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "raised_kobo" bigint;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "receivable_kobo" bigint;--> statement-breakpoint
ALTER TABLE "payout_files" ADD COLUMN "layout" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "return_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "refusal_request_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld_by" uuid;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld_reason" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "let_go_request_id" bigint;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_returns" ADD CONSTRAINT "round_returns_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_returns" ADD CONSTRAINT "round_returns_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_returns" ADD CONSTRAINT "round_returns_taken_back_by_users_id_fk" FOREIGN KEY ("taken_back_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_struck_by_users_id_fk" FOREIGN KEY ("struck_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_strike_id_payment_strikes_id_fk" FOREIGN KEY ("strike_id") REFERENCES "public"."payment_strikes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "voids_of_account" ON "voids" USING btree ("own_account_id");--> statement-breakpoint
CREATE INDEX "round_returns_of_round" ON "round_returns" USING btree ("project_id","round");--> statement-breakpoint
CREATE INDEX "payment_strikes_of_round" ON "payment_strikes" USING btree ("project_id","round");--> statement-breakpoint
CREATE INDEX "payment_strikes_of_person" ON "payment_strikes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "settlement_strikes_of_settlement" ON "settlement_strikes" USING btree ("settlement_id");--> statement-breakpoint
CREATE INDEX "settlement_strikes_of_person" ON "settlement_strikes" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_void_id_voids_id_fk" FOREIGN KEY ("void_id") REFERENCES "public"."voids"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_void_id_voids_id_fk" FOREIGN KEY ("void_id") REFERENCES "public"."voids"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_release_id_farm_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."farm_releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_return_id_round_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."round_returns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_refusal_request_id_second_person_requests_id_fk" FOREIGN KEY ("refusal_request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_withheld_by_users_id_fk" FOREIGN KEY ("withheld_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_let_go_request_id_second_person_requests_id_fk" FOREIGN KEY ("let_go_request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statement_lines_of_void" ON "statement_lines" USING btree ("void_id") WHERE "statement_lines"."void_id" is not null;--> statement-breakpoint
CREATE INDEX "statements_of_void" ON "statements" USING btree ("void_id") WHERE "statements"."void_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_struck_once" ON "ledger_transactions" USING btree ("payment_id") WHERE "ledger_transactions"."kind" = 'strike';--> statement-breakpoint
CREATE INDEX "line_matches_of_release" ON "line_matches" USING btree ("release_id") WHERE "line_matches"."release_id" is not null;--> statement-breakpoint
CREATE INDEX "project_payments_of_amount" ON "project_payments" USING btree ("amount_kobo") WHERE "project_payments"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "payouts_of_return" ON "payouts" USING btree ("return_id");--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_payout_once" ON "line_matches" USING btree ("payout_id","kind",("kind" = 'payout' and "reason" is not null)) WHERE "line_matches"."undone_at" is null and "line_matches"."payout_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_return_once" UNIQUE("return_id","kind");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_line_once" UNIQUE("line_id","kind");--> statement-breakpoint
ALTER TABLE "payout_files" ADD CONSTRAINT "payout_files_one_per_format" UNIQUE("run_id","layout","format");--> statement-breakpoint
ALTER TABLE "own_accounts" ADD CONSTRAINT "own_accounts_closed" CHECK ("own_accounts"."closed_at" is null or not "own_accounts"."is_active");--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_void" CHECK (("statement_lines"."own_account_id" is null) = ("statement_lines"."void_id" is not null));--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_void_unmatched" CHECK ("statement_lines"."void_id" is null or "statement_lines"."matched_kobo" = 0);--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_void" CHECK (("statements"."own_account_id" is null) = ("statements"."void_id" is not null));--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD CONSTRAINT "harvest_parts_struck" CHECK ("harvest_parts"."struck_kobo" between 0 and "harvest_parts"."weight_kobo" and ("harvest_parts"."struck_kobo" = 0 or "harvest_parts"."quantity" is not null));--> statement-breakpoint
ALTER TABLE "harvest_sales" ADD CONSTRAINT "harvest_sales_lost" CHECK ("harvest_sales"."lost_kobo" >= 0);--> statement-breakpoint
ALTER TABLE "round_weights" ADD CONSTRAINT "round_weights_struck" CHECK ("round_weights"."struck_kobo" between 0 and "round_weights"."weight_kobo");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_return" CHECK (("ledger_transactions"."kind" in ('round_return', 'round_return_taken_back')) = ("ledger_transactions"."return_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike', 'opening', 'line', 'voided_line', 'voided_opening', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'farm_release', 'farm_release_taken_back', 'round_return', 'round_return_taken_back', 'sale_declared', 'sale_taken_back', 'sale_lost', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payment" CHECK (num_nonnulls("ledger_transactions"."payment_id", "ledger_transactions"."project_title", "ledger_transactions"."round", "ledger_transactions"."user_id") in (0, 4) and ("ledger_transactions"."payment_id" is not null or ("ledger_transactions"."project_id" is null and "ledger_transactions"."kind" not in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike'))));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_opening" CHECK (("ledger_transactions"."kind" in ('opening', 'voided_opening')) = ("ledger_transactions"."own_account_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_line" CHECK (("ledger_transactions"."kind" in ('line', 'voided_line')) = ("ledger_transactions"."line_id" is not null));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_sale" CHECK (("line_matches"."raised_kobo" is null or ("line_matches"."kind" = 'sale' and "line_matches"."raised_kobo" between 1 and "line_matches"."amount_kobo")) and ("line_matches"."receivable_kobo" is null or "line_matches"."kind" in ('sale', 'sale_taken_back')) and ("line_matches"."receivable_kobo" is null or "line_matches"."receivable_kobo" between 0 and "line_matches"."amount_kobo"));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges', 'payout', 'returned', 'sale', 'sale_taken_back', 'harvest_cost', 'vat', 'wht', 'farm_paid_back'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_about" CHECK (("line_matches"."kind" in ('payment', 'taken_back', 'loss')) = ("line_matches"."payment_id" is not null) and ("line_matches"."kind" in ('payout', 'returned')) = ("line_matches"."payout_id" is not null) and ("line_matches"."kind" = 'own_transfer') = ("line_matches"."counter_line_id" is not null)
        and ("line_matches"."kind" = 'harvest_cost') = ("line_matches"."harvest_id" is not null) and ("line_matches"."kind" in ('sale', 'sale_taken_back')) = ("line_matches"."sale_id" is not null) and ("line_matches"."kind" = 'farm_paid_back') = ("line_matches"."release_id" is not null));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_credit" CHECK (("line_matches"."kind" in ('taken_back', 'sale_taken_back')) = ("line_matches"."credit_match_id" is not null));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_refused" CHECK ("payouts"."refusal_request_id" is null or "payouts"."state" = 'failed');--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_withheld" CHECK (num_nonnulls("payouts"."withheld_at", "payouts"."withheld_by", "payouts"."withheld_reason") in (0, 3)
        and ("payouts"."let_go_request_id" is null or "payouts"."withheld_at" is not null)
        and ("payouts"."withheld_at" is null or "payouts"."let_go_request_id" is not null or "payouts"."state" in ('waiting', 'due', 'cancelled')));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_kind" CHECK ("payouts"."kind" in ('refund', 'surplus', 'harvest', 'farm', 'returned'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_about" CHECK (num_nonnulls("payouts"."refund_id", "payouts"."release_id", "payouts"."settlement_id", "payouts"."return_id") = 1 and case "payouts"."kind"
        when 'farm' then num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 1 and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id") = 0
        when 'harvest' then num_nonnulls("payouts"."settlement_id", "payouts"."user_id", "payouts"."project_id") = 3 and "payouts"."payment_id" is null
        when 'returned' then num_nonnulls("payouts"."return_id", "payouts"."user_id", "payouts"."payment_id") = 3
        else num_nonnulls("payouts"."refund_id", "payouts"."user_id", "payouts"."payment_id") = 3 end);--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'void_bank_data', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'change_sale', 'lose_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'return_to_backers', 'take_return_back', 'strike_payment', 'change_bank_details', 'refuse_payouts', 'let_payout_go'));--> statement-breakpoint
-- What stands in a payment's strike, and what it took out of settlements, is never changed.
CREATE TRIGGER payment_strikes_append_only BEFORE DELETE OR UPDATE ON payment_strikes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER settlement_strikes_append_only BEFORE DELETE OR UPDATE ON settlement_strikes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A struck payment supports no backing.
CREATE OR REPLACE FUNCTION check_backing(checked_project integer, checked_user uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has_backing boolean;
  is_granted boolean;
  has_payment boolean;
BEGIN
  SELECT true, granted_at IS NOT NULL INTO has_backing, is_granted
    FROM project_backings WHERE project_id = checked_project AND user_id = checked_user;
  SELECT EXISTS (
    SELECT FROM project_payments p WHERE p.project_id = checked_project AND p.user_id = checked_user AND p.status = 'approved'
      AND NOT EXISTS (SELECT FROM payment_strikes k WHERE k.payment_id = p.id)
  ) INTO has_payment;
  IF has_payment AND has_backing IS NOT TRUE THEN
    RAISE EXCEPTION 'an approved payment of project % and user % has no backing', checked_project, checked_user
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approved_payment_has_backing';
  END IF;
  IF has_backing AND NOT is_granted AND NOT has_payment THEN
    RAISE EXCEPTION 'nothing supports the backing of project % by user %', checked_project, checked_user
      USING ERRCODE = 'check_violation', CONSTRAINT = 'backing_is_supported';
  END IF;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER payment_strikes_support_nothing AFTER INSERT ON payment_strikes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_backing_of_row();
--> statement-breakpoint
-- What is allotted counts less once a payment was struck; until then the weight itself falls.
CREATE OR REPLACE FUNCTION refuse_change_of_harvest_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.harvest_id, OLD.backing_id, OLD.user_id) IS DISTINCT FROM (NEW.harvest_id, NEW.backing_id, NEW.user_id)
    OR NEW.weight_kobo > OLD.weight_kobo OR NEW.struck_kobo < OLD.struck_kobo
    OR (OLD.quantity IS NOT NULL AND to_jsonb(OLD) - ARRAY['collected_at', 'collected_by', 'uncollected_at', 'struck_kobo']
      IS DISTINCT FROM to_jsonb(NEW) - ARRAY['collected_at', 'collected_by', 'uncollected_at', 'struck_kobo'])
    OR (num_nonnulls(OLD.collected_at, OLD.uncollected_at) > 0 AND (OLD.collected_at, OLD.collected_by, OLD.uncollected_at)
      IS DISTINCT FROM (NEW.collected_at, NEW.collected_by, NEW.uncollected_at))
  THEN
    RAISE EXCEPTION 'part of backing % in harvest %: change refused', OLD.backing_id, OLD.harvest_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- So does what a backing counts in the harvests of its round.
CREATE OR REPLACE FUNCTION refuse_change_of_round_weight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - 'struck_kobo' = to_jsonb(NEW) - 'struck_kobo' AND NEW.struck_kobo >= OLD.struck_kobo THEN
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
--> statement-breakpoint
-- What a refund, a release, a settlement or a return owes is what its payouts pay; a settlement owes less by what strikes took out of it.
CREATE OR REPLACE FUNCTION check_payouts_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refund bigint;
  release bigint;
  settlement bigint;
  given_back bigint;
  owed bigint;
  paid bigint;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'payouts' THEN
      refund := NEW.refund_id; release := NEW.release_id; settlement := NEW.settlement_id; given_back := NEW.return_id;
    WHEN 'refunds' THEN refund := NEW.id;
    WHEN 'settlements' THEN settlement := NEW.id;
    WHEN 'round_returns' THEN given_back := NEW.id;
    WHEN 'settlement_strikes' THEN settlement := NEW.settlement_id;
    ELSE release := NEW.id;
  END CASE;
  IF refund IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM refunds WHERE id = refund;
  ELSIF release IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM farm_releases WHERE id = release;
  ELSIF given_back IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM round_returns WHERE id = given_back;
  ELSE
    SELECT CASE WHEN reversed_at IS NULL THEN net_kobo + farm_kobo + farm_costs_kobo - farm_deducted_kobo - coalesce((
        SELECT sum(k.net_kobo) FROM settlement_strikes k WHERE k.settlement_id = settlement), 0) ELSE 0 END INTO owed
      FROM settlements WHERE id = settlement;
  END IF;
  SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
    WHERE (refund_id = refund OR release_id = release OR settlement_id = settlement OR return_id = given_back)
      AND state NOT IN ('failed', 'cancelled');
  IF owed IS DISTINCT FROM paid THEN
    RAISE EXCEPTION 'refund %, release %, settlement % or return % owes % kobo, its payouts are %', refund, release, settlement,
      given_back, owed, paid USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_are_what_is_owed';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER settlement_strikes_have_payouts AFTER INSERT ON settlement_strikes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER round_returns_have_payouts AFTER INSERT OR UPDATE OF amount_kobo, taken_back_at ON round_returns
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
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
