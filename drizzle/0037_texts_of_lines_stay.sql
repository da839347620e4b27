-- Another telling of a line stays as it is.
CREATE TRIGGER statement_line_texts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_line_texts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint

-- What a bank told stays as it told it; a fuller text takes the place of one that is kept beside it.
CREATE OR REPLACE FUNCTION refuse_change_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND
    (OLD.id, OLD.own_account_id, OLD.statement_id, OLD."row", OLD.date, OLD.value_date, OLD.amount_kobo, OLD.balance_kobo,
      OLD.customer_reference, OLD.is_reversal)
    IS NOT DISTINCT FROM
    (NEW.id, NEW.own_account_id, NEW.statement_id, NEW."row", NEW.date, NEW.value_date, NEW.amount_kobo, NEW.balance_kobo,
      NEW.customer_reference, NEW.is_reversal)
    AND EXISTS (SELECT FROM statement_line_texts told WHERE told.line_id = OLD.id AND told.fingerprint = OLD.fingerprint
      AND told.narration = OLD.narration AND told.bank_reference IS NOT DISTINCT FROM OLD.bank_reference)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'line % of a statement is what the bank told: change refused', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
