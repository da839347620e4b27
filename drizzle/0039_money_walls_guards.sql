-- What the farm paid is taken from sales once two owners have counted it: no line of a statement ever shows it.
CREATE FUNCTION refuse_uncounted_cost() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM harvest_costs c WHERE c.id = NEW.cost_id AND c.paid_by = 'farm' AND c.request_id IS NULL) THEN
    RAISE EXCEPTION 'cost % was not counted by two owners', NEW.cost_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER settlement_costs_counted BEFORE INSERT ON settlement_costs
  FOR EACH ROW EXECUTE FUNCTION refuse_uncounted_cost();--> statement-breakpoint
-- Parts that nobody paid for never count more than the round's lots are worth together. Who writes one has locked the project.
CREATE FUNCTION refuse_weight_beyond_worth() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE worth bigint; given bigint;
BEGIN
  SELECT r.lots * r.lot_price_kobo INTO worth FROM project_rounds r JOIN project_backings b ON b.project_id = r.project_id
    WHERE b.id = NEW.backing_id AND r.round = NEW.round;
  SELECT sum(w.weight_kobo) INTO given FROM backing_weights w JOIN project_backings b ON b.id = w.backing_id
    WHERE w.round = NEW.round AND b.project_id = (SELECT project_id FROM project_backings WHERE id = NEW.backing_id);
  IF given > coalesce(worth, 0) THEN
    RAISE EXCEPTION 'weights of backing % in round % are beyond what the lots are worth', NEW.backing_id, NEW.round
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER backing_weights_within_worth AFTER INSERT OR UPDATE ON backing_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_weight_beyond_worth();
