ALTER TABLE "contact_messages" ADD COLUMN "idempotency_key" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "job_applications" ADD COLUMN "idempotency_key" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_idempotency_key" UNIQUE("idempotency_key");--> statement-breakpoint
ALTER TABLE "job_applications" ADD CONSTRAINT "job_applications_idempotency_key" UNIQUE("idempotency_key");