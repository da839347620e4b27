-- What backings count stays while a harvest keeps it: one of the round opened, was lost, or an insurer's sum was settled.
CREATE FUNCTION refuse_change_of_round_weight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR EXISTS (
    SELECT FROM harvests h WHERE h.project_id = OLD.project_id AND h.round = OLD.round AND (
      (h.state <> 'withdrawn' AND (h.opened_at IS NOT NULL OR h.state IN ('lost', 'settled', 'done')))
      OR EXISTS (SELECT FROM settlements s WHERE s.harvest_id = h.id)))
  THEN
    RAISE EXCEPTION 'what backing % counts in round % of project %: change refused', OLD.backing_id, OLD.round, OLD.project_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;--> statement-breakpoint
DROP TRIGGER round_weights_append_only ON round_weights;--> statement-breakpoint
CREATE TRIGGER round_weights_stay BEFORE DELETE OR UPDATE ON round_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_round_weight();--> statement-breakpoint
-- A round whose only harvests were withdrawn before is free again.
DELETE FROM round_weights w WHERE NOT EXISTS (
  SELECT FROM harvests h WHERE h.project_id = w.project_id AND h.round = w.round AND (
    (h.state <> 'withdrawn' AND (h.opened_at IS NOT NULL OR h.state IN ('lost', 'settled', 'done')))
    OR EXISTS (SELECT FROM settlements s WHERE s.harvest_id = h.id)));
