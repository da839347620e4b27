ALTER TABLE "own_accounts" ADD COLUMN "charge_texts" text[] DEFAULT '{"STAMP DUTY","SMS ALERT CHARGE"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "matched_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD COLUMN "given_by" uuid;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD COLUMN "given_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_given_by_users_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statements_to_match" ON "statements" USING btree ("id") WHERE "statements"."matched_at" is null;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_given" CHECK (("payout_runs"."given_by" is null) = ("payout_runs"."given_at" is null) and ("payout_runs"."given_at" is null or "payout_runs"."exported_at" is not null));--> statement-breakpoint
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
