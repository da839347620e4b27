ALTER TABLE "payout_files" DROP CONSTRAINT "payout_files_one_per_format";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
DROP INDEX "line_matches_payout_once";--> statement-breakpoint
ALTER TABLE "payout_files" ADD COLUMN "layout" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "refusal_request_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld_by" uuid;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld_reason" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "let_go_request_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_refusal_request_id_second_person_requests_id_fk" FOREIGN KEY ("refusal_request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_withheld_by_users_id_fk" FOREIGN KEY ("withheld_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_let_go_request_id_second_person_requests_id_fk" FOREIGN KEY ("let_go_request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_payout_once" ON "line_matches" USING btree ("payout_id","kind",("kind" = 'payout' and "reason" is not null)) WHERE "line_matches"."undone_at" is null and "line_matches"."payout_id" is not null;--> statement-breakpoint
ALTER TABLE "payout_files" ADD CONSTRAINT "payout_files_one_per_format" UNIQUE("run_id","layout","format");--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_refused" CHECK ("payouts"."refusal_request_id" is null or "payouts"."state" = 'failed');--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_withheld" CHECK (num_nonnulls("payouts"."withheld_at", "payouts"."withheld_by", "payouts"."withheld_reason") in (0, 3)
        and ("payouts"."let_go_request_id" is null or "payouts"."withheld_at" is not null)
        and ("payouts"."withheld_at" is null or "payouts"."let_go_request_id" is not null or "payouts"."state" in ('waiting', 'due', 'cancelled')));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'return_to_backers', 'take_return_back', 'change_bank_details', 'refuse_payouts', 'let_payout_go'));