-- Searches look up parts of words (docs/decisions/0018): every one, two and three letters in a row, and what `marks` adds.
CREATE FUNCTION search_grams(searched text, marks text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(a) || array_agg(a || b) FILTER (WHERE b IS NOT NULL)
    || array_agg(a || b || c) FILTER (WHERE c IS NOT NULL) || marks
  FROM (SELECT a, lead(a) OVER () AS b, lead(a, 2) OVER () AS c FROM string_to_table(lower(searched), NULL) a) letters
$$;
--> statement-breakpoint
-- The parts that a text with this term in it has.
CREATE FUNCTION wanted_grams(term text, marks text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT marks || CASE WHEN length(t) <= 3 THEN ARRAY[t] ELSE ARRAY(SELECT substr(t, i, 3) FROM generate_series(1, length(t) - 2) i) END
  FROM lower(term) t
$$;
--> statement-breakpoint
DROP INDEX "projects_title_search";--> statement-breakpoint
DROP INDEX "users_name_search";--> statement-breakpoint
DROP INDEX "users_email_search";--> statement-breakpoint
CREATE INDEX "audit_logs_by_user_and_action" ON "audit_logs" USING btree ("user_id","action_type","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "stored_files_but_receipts" ON "stored_files" USING btree ("created_at") WHERE "stored_files"."kind" <> 'receipt';--> statement-breakpoint
CREATE INDEX "project_payments_pending_sum" ON "project_payments" USING btree ("amount_kobo") WHERE "project_payments"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "project_payments_approved_sum" ON "project_payments" USING btree ("decided_at","amount_kobo") WHERE "project_payments"."status" = 'approved';--> statement-breakpoint
CREATE INDEX "projects_search" ON "projects" USING gin (search_grams("title", array['in ' || coalesce("category", 'none'), case when "is_closed" then 'closed' else 'open' end])) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "projects_by_status" ON "projects" USING btree ("is_closed",lower("title"),"id");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (search_grams("full_name" || ' ' || "email", array[]::text[])) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower("full_name"));--> statement-breakpoint
-- Without statistics a search is always planned to use them: estimates for texts cost more than they are worth.
ALTER INDEX "projects_search" ALTER COLUMN 1 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "users_search" ALTER COLUMN 1 SET STATISTICS 0;
