-- Waits for the running transactions, so that a process of the earlier version that still works meets no deadlock.
LOCK TABLE "payouts", "second_person_requests" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_in_run";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_due";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_paid_by_hand";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "is_from_before" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_checked" CHECK ("payouts"."checked_at" is null or "payouts"."is_from_before");--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_unchecked" CHECK (not "payouts"."is_from_before" or "payouts"."checked_at" is not null or "payouts"."state" in ('waiting', 'cancelled'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_in_run" CHECK (("payouts"."run_id" is not null) or "payouts"."state" in ('waiting', 'due', 'cancelled') or ("payouts"."is_from_before" and "payouts"."paid_by" is not null));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_due" CHECK (("payouts"."due_at" is null) = ("payouts"."promised_by" is null) and ("payouts"."due_at" is not null or "payouts"."state" in ('waiting', 'cancelled') or ("payouts"."is_from_before" and "payouts"."paid_by" is not null and "payouts"."run_id" is null)));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_paid_by_hand" CHECK (num_nonnulls("payouts"."paid_by", "payouts"."paid_reason") in (0, 2) and ("payouts"."paid_by" is null or "payouts"."paid_at" is not null)
        and ("payouts"."paid_session_id" is null or "payouts"."paid_by" is not null)
        and ("payouts"."paid_by" is null or "payouts"."paid_session_id" is not null or "payouts"."is_from_before"));--> statement-breakpoint
-- Of an account that somebody decided on the last digits stay.
UPDATE second_person_requests SET details = details - 'accountName'
    || jsonb_build_object('accountNumber', '••• ' || right(details->>'accountNumber', 4))
  WHERE decision IS NOT NULL AND details ? 'accountName';--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_forgotten" CHECK ("second_person_requests"."decision" is null or not "second_person_requests"."details" ? 'accountName');--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'book_loss', 'fail_payout', 'enter_payee_account', 'refund_transferred'));--> statement-breakpoint
-- Refunds that were owed before anybody could pay them here may have been transferred by hand: an owner looks first.
UPDATE payouts SET is_from_before = true, state = 'waiting', due_at = NULL, promised_by = NULL
  WHERE kind <> 'farm' AND state IN ('waiting', 'due') AND replaces_id IS NULL;--> statement-breakpoint

-- As before; and one that was transferred by hand before goes from waiting to paid.
CREATE OR REPLACE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.kind, OLD.user_id, OLD.refund_id, OLD.release_id, OLD.payment_id, OLD.project_id, OLD.project_title, OLD.round,
      OLD.amount_kobo, OLD.part, OLD.parts, OLD.reference, OLD.replaces_id, OLD.created_at, OLD.is_from_before)
    IS DISTINCT FROM
    (NEW.id, NEW.kind, NEW.user_id, NEW.refund_id, NEW.release_id, NEW.payment_id, NEW.project_id, NEW.project_title, NEW.round,
      NEW.amount_kobo, NEW.part, NEW.parts, NEW.reference, NEW.replaces_id, NEW.created_at, NEW.is_from_before)
    OR (OLD.checked_at IS NOT NULL AND NEW.checked_at IS DISTINCT FROM OLD.checked_at)
    OR (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'due'), ('waiting', 'cancelled'), ('due', 'due'),
      ('due', 'waiting'), ('due', 'in_run'), ('due', 'cancelled'), ('in_run', 'in_run'), ('in_run', 'due'), ('in_run', 'sent'),
      ('sent', 'sent'), ('sent', 'paid'), ('sent', 'failed'), ('paid', 'paid'), ('paid', 'sent'), ('paid', 'failed'))
      AND NOT (OLD.state = 'waiting' AND NEW.state = 'paid' AND OLD.is_from_before AND OLD.checked_at IS NULL)
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
