ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "harvests" ADD COLUMN "rest_lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "harvests" ADD COLUMN "rest_lost_reason" text;--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_rest_lost" CHECK (("harvests"."rest_lost_at" is null) = ("harvests"."rest_lost_reason" is null) and ("harvests"."rest_lost_at" is null or "harvests"."done_at" is not null));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'book_loss', 'fail_payout', 'enter_payee_account', 'refund_transferred', 'declare_sale', 'lose_harvest', 'take_back_sale', 'lose_rest'));--> statement-breakpoint
-- Why the rest of a harvest is lost is said once, with its end.
CREATE FUNCTION refuse_change_of_lost_rest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'done' AND (OLD.rest_lost_at, OLD.rest_lost_reason) IS DISTINCT FROM (NEW.rest_lost_at, NEW.rest_lost_reason) THEN
    RAISE EXCEPTION 'rest of harvest %: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER harvests_rest_stays BEFORE UPDATE ON harvests
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_lost_rest();
