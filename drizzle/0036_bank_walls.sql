CREATE TABLE "statement_line_texts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statement_line_texts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"line_id" bigint NOT NULL,
	"narration" text NOT NULL,
	"bank_reference" text,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statement_line_texts_once" UNIQUE("line_id","fingerprint")
);
--> statement-breakpoint
ALTER TABLE "stored_files" DROP CONSTRAINT "stored_files_kind";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "file_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "credit_match_id" bigint;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "request_id" bigint;--> statement-breakpoint
ALTER TABLE "statement_line_texts" ADD CONSTRAINT "statement_line_texts_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_credit_match_id_line_matches_id_fk" FOREIGN KEY ("credit_match_id") REFERENCES "public"."line_matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "line_matches_of_credit" ON "line_matches" USING btree ("credit_match_id") WHERE "line_matches"."credit_match_id" is not null;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_kind" CHECK ("stored_files"."kind" in ('receipt', 'resume', 'photo', 'video', 'poster', 'evidence', 'paper', 'statement'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_credit" CHECK (("line_matches"."kind" = 'taken_back') = ("line_matches"."credit_match_id" is not null));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'book_loss', 'fail_payout', 'enter_payee_account', 'refund_transferred', 'declare_sale', 'lose_harvest', 'take_back_sale', 'lose_rest', 'lose_costs', 'match_line', 'undo_match'));