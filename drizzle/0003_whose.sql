ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_kind";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_reason";--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_owner";--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_farm";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_kind";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_about";--> statement-breakpoint
ALTER TABLE "payouts" ALTER COLUMN "round" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD COLUMN "line_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "line_id" bigint;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_sent_back_once" ON "line_matches" USING btree ("line_id") WHERE "line_matches"."kind" = 'sent_back' and "line_matches"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_line" ON "payee_accounts" USING btree ("line_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "payouts_of_line" ON "payouts" USING btree ("line_id") WHERE "payouts"."line_id" is not null;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'opening', 'in_transit', 'receivable', 'unmatched_in', 'unmatched_out', 'unallocated', 'project_funding', 'backer_due', 'payouts_in_transit', 'farm_released', 'farm_due', 'sender_due', 'harvest_proceeds', 'harvest_costs', 'fee_income', 'vat_due', 'wht_due', 'produce_stock', 'produce_due', 'bank_charges', 'operator', 'losses'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges', 'payout', 'returned', 'sale', 'sale_taken_back', 'harvest_cost', 'vat', 'wht', 'farm_paid_back', 'sent_back'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_reason" CHECK ("line_matches"."kind" not in ('operator', 'sent_back') or "line_matches"."reason" is not null);--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_owner" CHECK (num_nonnulls("payee_accounts"."user_id", "payee_accounts"."project_id", "payee_accounts"."line_id") = 1);--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_farm" CHECK (num_nonnulls("payee_accounts"."project_id", "payee_accounts"."line_id") = 0 or "payee_accounts"."request_id" is not null);--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_kind" CHECK ("payouts"."kind" in ('refund', 'surplus', 'harvest', 'farm', 'returned', 'sender'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_about" CHECK (num_nonnulls("payouts"."refund_id", "payouts"."release_id", "payouts"."settlement_id", "payouts"."return_id", "payouts"."line_id") = 1 and ("payouts"."round" is null) = ("payouts"."kind" = 'sender') and case "payouts"."kind"
        when 'farm' then num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 1 and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id") = 0
        when 'harvest' then num_nonnulls("payouts"."settlement_id", "payouts"."user_id", "payouts"."project_id") = 3 and "payouts"."payment_id" is null
        when 'sender' then "payouts"."line_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id", "payouts"."project_id") = 0
        when 'returned' then num_nonnulls("payouts"."return_id", "payouts"."user_id", "payouts"."payment_id") = 3
        else num_nonnulls("payouts"."refund_id", "payouts"."user_id", "payouts"."payment_id") = 3 end);
--> statement-breakpoint
-- Whose is it: begin. Money that goes back to its sender is owed under an account of its own.
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
-- Whose is it: end.
