CREATE TABLE "backing_weights" (
	"backing_id" bigint NOT NULL,
	"round" integer NOT NULL,
	"weight_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "backing_weights_backing_id_round_pk" PRIMARY KEY("backing_id","round"),
	CONSTRAINT "backing_weights_weight" CHECK ("backing_weights"."weight_kobo" > 0)
);
--> statement-breakpoint
ALTER TABLE "project_backings" DROP CONSTRAINT "project_backings_weight";--> statement-breakpoint
ALTER TABLE "backing_weights" ADD CONSTRAINT "backing_weights_backing_id_project_backings_id_fk" FOREIGN KEY ("backing_id") REFERENCES "public"."project_backings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What was frozen of a round stays what it is; any other weight counted in each funded round and the current one.
INSERT INTO backing_weights (backing_id, round, weight_kobo, reason)
  SELECT w.backing_id, w.round, (w.weight_kobo - paid.kobo)::bigint, coalesce(b.weight_reason, 'It counted when the harvest opened.')
  FROM round_weights w JOIN project_backings b ON b.id = w.backing_id CROSS JOIN LATERAL (
    SELECT coalesce(sum(p.amount_kobo), 0) AS kobo FROM project_payments p
    WHERE p.project_id = w.project_id AND p.round = w.round AND p.user_id = w.user_id AND p.status = 'approved'
  ) paid
  WHERE w.weight_kobo > paid.kobo;--> statement-breakpoint
INSERT INTO backing_weights (backing_id, round, weight_kobo, reason)
  SELECT b.id, r.round, b.weight_kobo, b.weight_reason
  FROM project_backings b JOIN projects p ON p.id = b.project_id JOIN project_rounds r ON r.project_id = p.id
  WHERE b.weight_kobo IS NOT NULL AND (r.outcome = 'funded' OR r.round = p.round)
    AND NOT EXISTS (SELECT FROM round_weights w WHERE w.project_id = p.id AND w.round = r.round);--> statement-breakpoint
ALTER TABLE "project_backings" DROP COLUMN "weight_kobo";--> statement-breakpoint
ALTER TABLE "project_backings" DROP COLUMN "weight_reason";--> statement-breakpoint

-- Only a backing that an administrator granted has a weight; that of a payment is its lots.
CREATE FUNCTION refuse_weight_without_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM project_backings WHERE id = NEW.backing_id AND granted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'backing % was not granted: weight refused', NEW.backing_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER backing_weights_granted BEFORE INSERT OR UPDATE ON backing_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_weight_without_grant();
