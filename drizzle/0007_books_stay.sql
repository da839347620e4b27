-- What stands for the ledger's past is written once.
CREATE TRIGGER ledger_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_closings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_closings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
