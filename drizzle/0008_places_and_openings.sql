ALTER TABLE "harvests" ADD COLUMN "place" integer;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD COLUMN "opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD COLUMN "told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "saved_searches" ADD COLUMN "stopped_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "harvests" SET "place" = counted.place FROM (
  SELECT id, row_number() OVER (PARTITION BY project_id, round ORDER BY number) AS place FROM harvests
  WHERE NOT is_insurance AND state <> 'withdrawn'
) counted WHERE counted.id = "harvests".id;--> statement-breakpoint
UPDATE "project_rounds" SET "opened_at" = "created_at", "told_at" = "created_at";--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_place_key" UNIQUE("project_id","round","place");--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_place" CHECK ("harvests"."place" >= 1 and ("harvests"."place" is null) = ("harvests"."is_insurance" or "harvests"."state" = 'withdrawn'));