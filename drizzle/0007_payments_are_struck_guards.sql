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
-- What a settlement owes is less by what strikes took out of it.
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
