ALTER TABLE "notifications" ADD COLUMN "about_user_id" uuid;--> statement-breakpoint
ALTER TABLE "project_payments" ADD COLUMN "refund_email" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_about_user_id_users_id_fk" FOREIGN KEY ("about_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_about_user" ON "notifications" USING btree ("about_user_id") WHERE "notifications"."about_user_id" is not null;--> statement-breakpoint
CREATE INDEX "outgoing_mails_of_recipient" ON "outgoing_mails" USING btree ("recipient","id");--> statement-breakpoint
CREATE INDEX "outgoing_mails_oldest" ON "outgoing_mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "project_payments_search" ON "project_payments" USING gin (replace("reference", '-', '') gin_trgm_ops) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "project_payments_to_refund" ON "project_payments" USING btree ("refund_email") WHERE "project_payments"."refund_email" is not null;--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_refund_email" CHECK ("project_payments"."refund_email" is null or "project_payments"."status" = 'pending');--> statement-breakpoint
-- Whom administrators were told of so far. What came from messages of removed projects can't be traced any more.
UPDATE "notifications" SET "about_user_id" = "payment_receipts"."user_id" FROM "payment_receipts"
  WHERE "notifications"."kind" = 'receipt_submitted' AND "notifications"."event_key" = 'receipt:' || "payment_receipts"."id";--> statement-breakpoint
UPDATE "notifications" SET "about_user_id" = "project_messages"."user_id" FROM "project_messages"
  WHERE "notifications"."kind" = 'backer_message' AND "notifications"."event_key" = 'message:' || "project_messages"."id";
