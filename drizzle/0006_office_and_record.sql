DROP INDEX "ledger_entries_of_round";--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "is_private" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "recipient_id" uuid;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "answers_id" bigint;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "no_answer_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "no_answer_by" uuid;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_recipient_id_users_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_no_answer_by_users_id_fk" FOREIGN KEY ("no_answer_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_messages_to_answer" ON "project_messages" USING btree ("created_at") WHERE not "project_messages"."is_admin_reply" and "project_messages"."no_answer_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_round" ON "ledger_entries" USING btree ("account","project_id","round") WHERE "ledger_entries"."account" in ('farm_released', 'farm_due', 'project_funding');--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_recipient" CHECK (num_nonnulls("project_messages"."recipient_id", "project_messages"."answers_id") = case when "project_messages"."is_private" and "project_messages"."is_admin_reply" then 2 else 0 end);--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_no_answer" CHECK (("project_messages"."no_answer_at" is null) = ("project_messages"."no_answer_by" is null) and ("project_messages"."no_answer_at" is null or not "project_messages"."is_admin_reply"));