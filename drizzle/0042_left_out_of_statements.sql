ALTER TABLE "statements" ADD COLUMN "failed_entries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "reversed_entries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "zero_entries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "other_rows" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "statements_by_import" ON "statements" USING btree ("own_account_id","id");