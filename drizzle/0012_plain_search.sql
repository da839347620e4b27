-- Searches use trigrams again; what only a million projects needed goes. The new indexes are there before the old ones go.
CREATE INDEX "project_payments_reference_trigrams" ON "project_payments" USING gin (replace("reference", '-', '') gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "projects_title_trigrams" ON "projects" USING gin ("title" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_trigrams" ON "users" USING gin ("full_name" gin_trgm_ops,"email" gin_trgm_ops);--> statement-breakpoint
DROP INDEX "audit_logs_by_user_and_action";--> statement-breakpoint
DROP INDEX "stored_files_but_receipts";--> statement-breakpoint
DROP INDEX "project_payments_pending_sum";--> statement-breakpoint
DROP INDEX "project_payments_search";--> statement-breakpoint
DROP INDEX "project_payments_approved_sum";--> statement-breakpoint
DROP INDEX "projects_search";--> statement-breakpoint
DROP INDEX "projects_open_newest";--> statement-breakpoint
DROP INDEX "projects_open_category_by_backers";--> statement-breakpoint
DROP INDEX "projects_open_category_by_funding";--> statement-breakpoint
DROP INDEX "projects_open_category_by_end";--> statement-breakpoint
DROP INDEX "projects_open_category_newest";--> statement-breakpoint
DROP INDEX "projects_category_by_backers";--> statement-breakpoint
DROP INDEX "projects_category_by_funding";--> statement-breakpoint
DROP INDEX "projects_category_by_end";--> statement-breakpoint
DROP INDEX "projects_category_newest";--> statement-breakpoint
DROP INDEX "users_search";--> statement-breakpoint
DROP FUNCTION wanted_grams(text, text[]);--> statement-breakpoint
DROP FUNCTION search_grams(text, text[]);
