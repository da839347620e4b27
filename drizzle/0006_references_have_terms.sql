ALTER TABLE "payment_references" DROP CONSTRAINT "payment_references_agreed";--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "round" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "terms_version" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "agreed_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "lots" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_references" ALTER COLUMN "lot_price_kobo" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "project_payments" ALTER COLUMN "agreed_at" SET NOT NULL;