ALTER TABLE "harvests" ADD COLUMN "place" integer;--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_place_key" UNIQUE("project_id","round","place");--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_place" CHECK ("harvests"."place" >= 1 and ("harvests"."place" is null) = ("harvests"."is_insurance" or "harvests"."state" = 'withdrawn'));