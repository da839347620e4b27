-- The site's reader keeps in memory whether it offers jobs.
CREATE TRIGGER settings_tell_careers AFTER INSERT OR UPDATE ON settings
  FOR EACH ROW WHEN (NEW.key = 'careers') EXECUTE FUNCTION tell_site_change();
--> statement-breakpoint
-- The home page counts rounds that are decided.
CREATE TRIGGER project_rounds_tell_decision AFTER UPDATE OF outcome ON project_rounds
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
