ALTER TABLE "photo_prints" ALTER COLUMN "print" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_prints" ALTER COLUMN "inner_print" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_prints" ADD COLUMN "mirror_print" bit(128);--> statement-breakpoint
ALTER TABLE "photo_prints" ADD COLUMN "inner_mirror_print" bit(128);--> statement-breakpoint
-- Earlier prints have no mirror and are read in another way: their photos are compared by their bytes only.
UPDATE "photo_prints" SET "print" = null, "inner_print" = null;--> statement-breakpoint
ALTER TABLE "photo_prints" ADD CONSTRAINT "photo_prints_all" CHECK (num_nulls("photo_prints"."print", "photo_prints"."inner_print", "photo_prints"."mirror_print", "photo_prints"."inner_mirror_print") in (0, 4));