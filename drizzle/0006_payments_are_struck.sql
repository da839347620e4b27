CREATE TABLE "payment_strikes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_strikes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"lost_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"struck_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_strikes_once" UNIQUE("payment_id"),
	CONSTRAINT "payment_strikes_lost" CHECK ("payment_strikes"."lost_kobo" > 0)
);
--> statement-breakpoint
CREATE TABLE "settlement_strikes" (
	"strike_id" bigint NOT NULL,
	"settlement_id" bigint NOT NULL,
	"backing_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"share_kobo" bigint NOT NULL,
	"fee_kobo" bigint NOT NULL,
	"vat_kobo" bigint NOT NULL,
	"wht_kobo" bigint NOT NULL,
	"net_kobo" bigint NOT NULL,
	CONSTRAINT "settlement_strikes_strike_id_settlement_id_backing_id_pk" PRIMARY KEY("strike_id","settlement_id","backing_id"),
	CONSTRAINT "settlement_strikes_sums" CHECK ("settlement_strikes"."net_kobo" > 0 and least("settlement_strikes"."fee_kobo", "settlement_strikes"."vat_kobo", "settlement_strikes"."wht_kobo") >= 0
        and "settlement_strikes"."share_kobo" = "settlement_strikes"."net_kobo" + "settlement_strikes"."fee_kobo" + "settlement_strikes"."vat_kobo" + "settlement_strikes"."wht_kobo")
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_payment";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD COLUMN "struck_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "round_weights" ADD COLUMN "struck_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_strikes" ADD CONSTRAINT "payment_strikes_struck_by_users_id_fk" FOREIGN KEY ("struck_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_strike_id_payment_strikes_id_fk" FOREIGN KEY ("strike_id") REFERENCES "public"."payment_strikes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_strikes" ADD CONSTRAINT "settlement_strikes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_strikes_of_round" ON "payment_strikes" USING btree ("project_id","round");--> statement-breakpoint
CREATE INDEX "payment_strikes_of_person" ON "payment_strikes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "settlement_strikes_of_settlement" ON "settlement_strikes" USING btree ("settlement_id");--> statement-breakpoint
CREATE INDEX "settlement_strikes_of_person" ON "settlement_strikes" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_struck_once" ON "ledger_transactions" USING btree ("payment_id") WHERE "ledger_transactions"."kind" = 'strike';--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD CONSTRAINT "harvest_parts_struck" CHECK ("harvest_parts"."struck_kobo" between 0 and "harvest_parts"."weight_kobo" and ("harvest_parts"."struck_kobo" = 0 or "harvest_parts"."quantity" is not null));--> statement-breakpoint
ALTER TABLE "round_weights" ADD CONSTRAINT "round_weights_struck" CHECK ("round_weights"."struck_kobo" between 0 and "round_weights"."weight_kobo");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike', 'opening', 'line', 'voided_line', 'voided_opening', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'farm_release', 'farm_release_taken_back', 'round_return', 'round_return_taken_back', 'sale_declared', 'sale_taken_back', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_payment" CHECK (num_nonnulls("ledger_transactions"."payment_id", "ledger_transactions"."project_title", "ledger_transactions"."round", "ledger_transactions"."user_id") in (0, 4) and ("ledger_transactions"."payment_id" is not null or ("ledger_transactions"."project_id" is null and "ledger_transactions"."kind" not in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike'))));--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'void_bank_data', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'return_to_backers', 'take_return_back', 'strike_payment', 'change_bank_details'));