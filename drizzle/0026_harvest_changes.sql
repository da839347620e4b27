-- What changes of a harvest is told to the screens that show it, whoever changed it: a person, a job, a line of the bank. An
-- event goes to everybody with a part in the project's harvests, to administrators, or also to the one backer it is about.
CREATE FUNCTION tell_harvest_change(harvest bigint, receiver text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('gona_events', json_build_object('type', 'harvests', 'projectId', h.project_id, 'to', receiver)::text)
  FROM harvests h WHERE h.id = harvest
$$;
--> statement-breakpoint
CREATE FUNCTION tell_harvests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(c.id, TG_ARGV[0]) FROM (SELECT DISTINCT id FROM changed) c;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_of_harvests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(c.harvest_id, TG_ARGV[0]) FROM (SELECT DISTINCT harvest_id FROM changed) c;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A choice, a collection: one backer's own. Of many at once everybody is told. What an allotment fixes comes with its harvest.
CREATE FUNCTION tell_harvest_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(c.harvest_id, CASE WHEN c.people = 1 THEN c.person ELSE 'everybody' END)
  FROM (
    SELECT n.harvest_id, count(*) AS people, min(n.user_id::text) AS person
    FROM changed n JOIN before o ON o.harvest_id = n.harvest_id AND o.backing_id = n.backing_id
    WHERE (n.chosen_at, n.collected_at, n.uncollected_at) IS DISTINCT FROM (o.chosen_at, o.collected_at, o.uncollected_at)
    GROUP BY n.harvest_id
  ) c;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_sale_matches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(s.harvest_id, 'administrators')
  FROM changed c JOIN harvest_sales s ON s.id = c.sale_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER harvests_tell_insert AFTER INSERT ON harvests REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvests_tell_update AFTER UPDATE ON harvests REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_harvests('everybody');
--> statement-breakpoint
CREATE TRIGGER harvest_parts_tell_update AFTER UPDATE ON harvest_parts REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_harvest_parts();
--> statement-breakpoint
CREATE TRIGGER harvest_files_tell_insert AFTER INSERT ON harvest_files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('everybody');
--> statement-breakpoint
CREATE TRIGGER harvest_costs_tell_insert AFTER INSERT ON harvest_costs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvest_costs_tell_update AFTER UPDATE ON harvest_costs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvest_sales_tell_insert AFTER INSERT ON harvest_sales REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvest_sales_tell_update AFTER UPDATE ON harvest_sales REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER settlements_tell_insert AFTER INSERT ON settlements REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('everybody');
--> statement-breakpoint
CREATE TRIGGER settlements_tell_update AFTER UPDATE ON settlements REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('everybody');
--> statement-breakpoint
CREATE TRIGGER line_matches_tell_insert AFTER INSERT ON line_matches REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_sale_matches();
--> statement-breakpoint
CREATE TRIGGER line_matches_tell_update AFTER UPDATE ON line_matches REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_sale_matches();
