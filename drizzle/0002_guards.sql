-- What no code path may get wrong: guarded by the database itself.

-- Coarse request limits may be lost in a crash; they are written on every call.
ALTER TABLE rate_limits SET UNLOGGED;
--> statement-breakpoint

-- A payment's current receipt is one of its own receipts. Deferred: the two rows are written together.
ALTER TABLE project_payments ADD CONSTRAINT project_payments_current_receipt_fk
  FOREIGN KEY (id, current_receipt_id) REFERENCES payment_receipts (payment_id, id) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint

-- Ledger and audit are append-only.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_logs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- What a project's round has received, in kobo, as the ledger says.
CREATE FUNCTION ledger_funding(project integer, funding_round integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(-sum(e.amount_kobo), 0)::bigint
  FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
  WHERE t.project_id = project AND t.round = funding_round AND e.account = 'project_funding'
$$;
--> statement-breakpoint

-- Each ledger transaction has entries that sum to zero when its transaction commits.
CREATE FUNCTION check_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked bigint := CASE TG_TABLE_NAME WHEN 'ledger_transactions' THEN NEW.id ELSE (to_jsonb(NEW)->>'transaction_id')::bigint END;
  total numeric;
  entries integer;
BEGIN
  SELECT sum(amount_kobo), count(*) INTO total, entries FROM ledger_entries WHERE transaction_id = checked;
  IF entries < 2 OR total <> 0 THEN
    RAISE EXCEPTION 'ledger transaction % has % entries with the sum %', checked, entries, total
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_sums_to_zero';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transactions_balanced AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint

-- A project's cached funding is the ledger's sum for its current round.
CREATE FUNCTION check_project_funding() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked integer := CASE TG_TABLE_NAME WHEN 'projects' THEN NEW.id ELSE (to_jsonb(NEW)->>'project_id')::integer END;
  project projects%ROWTYPE;
BEGIN
  SELECT * INTO project FROM projects WHERE id = checked;
  IF FOUND AND project.current_funding_kobo <> ledger_funding(project.id, project.round) THEN
    RAISE EXCEPTION 'project % shows % kobo, the ledger says %', project.id, project.current_funding_kobo,
      ledger_funding(project.id, project.round)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_funding_is_ledger_sum';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER projects_funding_is_ledger_sum AFTER INSERT OR UPDATE OF current_funding_kobo, round ON projects
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_project_funding();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_changes_project_funding AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_project_funding();
--> statement-breakpoint

-- A backing stands if and only if a grant or an approved payment supports it.
CREATE FUNCTION check_backing(checked_project integer, checked_user uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has_backing boolean;
  is_granted boolean;
  has_payment boolean;
BEGIN
  SELECT true, granted_at IS NOT NULL INTO has_backing, is_granted
    FROM project_backings WHERE project_id = checked_project AND user_id = checked_user;
  SELECT EXISTS (
    SELECT FROM project_payments WHERE project_id = checked_project AND user_id = checked_user AND status = 'approved'
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
CREATE FUNCTION check_backing_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_backing(OLD.project_id, OLD.user_id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM check_backing(NEW.project_id, NEW.user_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_backings_supported AFTER INSERT OR UPDATE OR DELETE ON project_backings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_backing_of_row();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_payments_support_backing
  AFTER INSERT OR DELETE OR UPDATE OF status, project_id, user_id ON project_payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_backing_of_row();
