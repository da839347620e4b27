ALTER TABLE "project_backings" ADD COLUMN "weight_kobo" bigint;--> statement-breakpoint
ALTER TABLE "project_backings" ADD COLUMN "weight_reason" text;--> statement-breakpoint
ALTER TABLE "project_backings" ADD CONSTRAINT "project_backings_weight" CHECK (("project_backings"."weight_kobo" is null) = ("project_backings"."weight_reason" is null)
        and ("project_backings"."weight_kobo" is null or ("project_backings"."weight_kobo" > 0 and "project_backings"."granted_at" is not null)));