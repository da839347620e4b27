ALTER TABLE "projects" ADD COLUMN "idempotency_key" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_idempotency_key" UNIQUE("idempotency_key");