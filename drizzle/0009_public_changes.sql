-- Processes keep what everybody sees (lists, pages) in memory. Whoever changes it, by whatever way, all of them hear it.
CREATE FUNCTION tell_public_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gona_events', '{"type":"public"}');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER projects_tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON projects
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
--> statement-breakpoint
CREATE TRIGGER settings_tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON settings
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
