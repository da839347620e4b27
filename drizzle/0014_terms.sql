CREATE TABLE "round_terms" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"version" integer NOT NULL,
	"unit" text NOT NULL,
	"planned_quantity" bigint,
	"planned_price_kobo" bigint,
	"planned_harvests" integer,
	"first_harvest_on" date,
	"farm_part_rate" integer NOT NULL,
	"deductible_costs" jsonb NOT NULL,
	"fee_rate" integer NOT NULL,
	"options" jsonb NOT NULL,
	"collection_place" text NOT NULL,
	"choice_days" integer NOT NULL,
	"collection_days" integer NOT NULL,
	"insurance" jsonb,
	"text" text NOT NULL,
	"text_sha256" text NOT NULL,
	"written_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "round_terms_pkey" PRIMARY KEY("project_id","round","version"),
	CONSTRAINT "round_terms_version" CHECK ("round_terms"."version" >= 1),
	CONSTRAINT "round_terms_farm_part" CHECK ("round_terms"."farm_part_rate" between 0 and 9000),
	CONSTRAINT "round_terms_fee" CHECK ("round_terms"."fee_rate" between 0 and 3000),
	CONSTRAINT "round_terms_choice_days" CHECK ("round_terms"."choice_days" between 3 and 60),
	CONSTRAINT "round_terms_collection_days" CHECK ("round_terms"."collection_days" between 1 and 30),
	CONSTRAINT "round_terms_planned_harvests" CHECK ("round_terms"."planned_harvests" between 1 and 60),
	CONSTRAINT "round_terms_planned_quantity" CHECK ("round_terms"."planned_quantity" > 0),
	CONSTRAINT "round_terms_planned_price" CHECK ("round_terms"."planned_price_kobo" > 0),
	CONSTRAINT "round_terms_text_sha256" CHECK ("round_terms"."text_sha256" = encode(sha256(convert_to("round_terms"."text", 'UTF8')), 'hex'))
);
--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "round" integer;--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "terms_version" integer;--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "agreed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "lots" integer;--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "lot_price_kobo" bigint;--> statement-breakpoint
ALTER TABLE "project_payments" ADD COLUMN "agreed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "project_payments" ADD COLUMN "terms_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_payments" ALTER COLUMN "terms_version" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD COLUMN "terms_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_rounds" ALTER COLUMN "terms_version" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "round_terms" ADD CONSTRAINT "round_terms_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_references" ADD CONSTRAINT "payment_references_agreed" CHECK (num_nonnulls("payment_references"."round", "payment_references"."terms_version", "payment_references"."agreed_at", "payment_references"."lots", "payment_references"."lot_price_kobo") in (0, 5));--> statement-breakpoint
-- Every round so far has the default terms. Who paid before there were terms, or was given a reference to pay with, was
-- told of no fee, so there is none.
INSERT INTO "round_terms" ("project_id", "round", "version", "unit", "farm_part_rate", "deductible_costs", "fee_rate", "options",
    "collection_place", "choice_days", "collection_days", "text", "text_sha256", "created_at")
  SELECT project_id, round, 1, 'share', 0, '[]', fee_rate, '["produce", "sale", "give_away"]', '', 14, 7, worded.text,
    encode(sha256(convert_to(worded.text, 'UTF8')), 'hex'), created_at
  FROM (
    SELECT r.project_id, r.round, r.created_at, CASE WHEN EXISTS (
        SELECT FROM project_payments p WHERE p.project_id = r.project_id AND p.round = r.round)
      OR EXISTS (
        SELECT FROM payment_references f JOIN projects j ON j.id = f.project_id
        WHERE f.project_id = r.project_id AND f.retired_at IS NULL AND j.round = r.round) THEN 0 ELSE 500 END AS fee_rate
    FROM project_rounds r) rounds, LATERAL (SELECT 'Risk: A harvest can be smaller than planned, be sold for less, or be lost. You may lose what you pay. Nobody guarantees a return.'
    || E'\nPlan: The farm has not stated how much it expects to harvest, or when.'
    || E'\nYour part: The whole harvest is shared among the backers by what they paid.'
    || E'\nYour choice: When a harvest is ready you have 14 days to choose: take it as produce, have it sold or give it away. What you don''t choose is sold. Produce is collected within 7 days; what isn''t collected is sold.'
    || E'\nCosts and fee: No costs are taken from the sales. The platform''s fee is ' || fee_rate / 100 || '% of your sales.'
    || E'\nInsurance: The harvest is not insured.'
    || E'\nI have read the terms. I may lose what I pay; nobody guarantees a return.' AS text) worded;--> statement-breakpoint

-- Terms are never changed, only followed by others.
CREATE TRIGGER round_terms_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON round_terms
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint

-- Rounds and payments name terms that are there. Deferred: a round and its first terms are written together.
ALTER TABLE project_rounds ADD CONSTRAINT project_rounds_terms_fk
  FOREIGN KEY (project_id, round, terms_version) REFERENCES round_terms (project_id, round, version) DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
ALTER TABLE payment_references ADD CONSTRAINT payment_references_terms_fk
  FOREIGN KEY (project_id, round, terms_version) REFERENCES round_terms (project_id, round, version);--> statement-breakpoint
ALTER TABLE project_payments ADD CONSTRAINT project_payments_terms_fk
  FOREIGN KEY (project_id, round, terms_version) REFERENCES round_terms (project_id, round, version) DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint

-- What was sold stays as it was sold, the terms too.
CREATE OR REPLACE FUNCTION refuse_change_of_sold_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.approved_lots > 0 OR OLD.outcome IS NOT NULL) AND (OLD.lots, OLD.minimum_lots, OLD.lot_price_kobo, OLD.terms_version)
      <> (NEW.lots, NEW.minimum_lots, NEW.lot_price_kobo, NEW.terms_version) THEN
    RAISE EXCEPTION 'round % of project % is sold or decided: lots, minimum, price and terms refused', OLD.round, OLD.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sold_round_is_frozen';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
DROP TRIGGER project_rounds_frozen ON project_rounds;--> statement-breakpoint
CREATE TRIGGER project_rounds_frozen BEFORE UPDATE OF lots, minimum_lots, lot_price_kobo, terms_version ON project_rounds
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_sold_round();
