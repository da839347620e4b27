ALTER TABLE "holder_change_files" RENAME TO "payment_evidence";--> statement-breakpoint
ALTER TABLE "payment_evidence" DROP CONSTRAINT "holder_change_files_file_id_stored_files_id_fk";
--> statement-breakpoint
ALTER TABLE "payment_evidence" DROP CONSTRAINT "holder_change_files_payment_id_project_payments_id_fk";
--> statement-breakpoint
ALTER TABLE "payment_evidence" DROP CONSTRAINT "holder_change_files_added_by_users_id_fk";
--> statement-breakpoint
DROP INDEX "holder_change_files_of_payment";--> statement-breakpoint
ALTER TABLE "payment_evidence" ADD CONSTRAINT "payment_evidence_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_evidence" ADD CONSTRAINT "payment_evidence_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_evidence" ADD CONSTRAINT "payment_evidence_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_evidence_of_payment" ON "payment_evidence" USING btree ("payment_id");--> statement-breakpoint
-- Evidence of a payment is only added.
ALTER TRIGGER holder_change_files_append_only ON payment_evidence RENAME TO payment_evidence_append_only;
