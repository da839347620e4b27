DROP INDEX "project_messages_of_user";--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "idempotency_key" uuid;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_idempotency_key" UNIQUE("user_id","idempotency_key");