ALTER TABLE "project_rounds" ADD COLUMN "opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD COLUMN "told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "saved_searches" ADD COLUMN "stopped_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "project_rounds" SET "opened_at" = "created_at", "told_at" = "created_at";
