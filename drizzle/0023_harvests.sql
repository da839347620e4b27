-- Waits for the running transactions in their own order of locks, so that a process of the earlier version that still works
-- meets no deadlock.
LOCK TABLE "stored_files", "second_person_requests" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "line_matches", "payouts", "ledger_transactions", "ledger_entries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "harvest_costs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "harvest_costs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"harvest_id" bigint NOT NULL,
	"label" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"paid_by" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"removed_by" uuid,
	CONSTRAINT "harvest_costs_amount" CHECK ("harvest_costs"."amount_kobo" > 0),
	CONSTRAINT "harvest_costs_paid_by" CHECK ("harvest_costs"."paid_by" in ('platform', 'farm')),
	CONSTRAINT "harvest_costs_removed" CHECK (("harvest_costs"."removed_at" is null) = ("harvest_costs"."removed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "harvest_files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "harvest_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"harvest_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"cost_id" bigint,
	"sale_id" bigint,
	"file_id" uuid NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"added_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "harvest_files_file_key" UNIQUE("file_id"),
	CONSTRAINT "harvest_files_idempotency_key" UNIQUE("harvest_id","idempotency_key"),
	CONSTRAINT "harvest_files_purpose" CHECK ("harvest_files"."purpose" in ('harvest', 'cost', 'sale') and ("harvest_files"."purpose" = 'cost') = ("harvest_files"."cost_id" is not null) and ("harvest_files"."purpose" = 'sale') = ("harvest_files"."sale_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "harvest_parts" (
	"harvest_id" bigint NOT NULL,
	"backing_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"weight_kobo" bigint NOT NULL,
	"chosen_taken" bigint,
	"chosen_given" bigint,
	"chosen_sold" bigint,
	"chosen_at" timestamp (3) with time zone,
	"quantity" bigint,
	"taken" bigint,
	"given" bigint,
	"sold" bigint,
	"produce_kobo" bigint,
	"code" text,
	"collected_at" timestamp (3) with time zone,
	"collected_by" uuid,
	"uncollected_at" timestamp (3) with time zone,
	CONSTRAINT "harvest_parts_harvest_id_backing_id_pk" PRIMARY KEY("harvest_id","backing_id"),
	CONSTRAINT "harvest_parts_weight" CHECK ("harvest_parts"."weight_kobo" > 0),
	CONSTRAINT "harvest_parts_choice" CHECK (num_nonnulls("harvest_parts"."chosen_taken", "harvest_parts"."chosen_given", "harvest_parts"."chosen_sold", "harvest_parts"."chosen_at") in (0, 4)
        and ("harvest_parts"."chosen_at" is null or least("harvest_parts"."chosen_taken", "harvest_parts"."chosen_given", "harvest_parts"."chosen_sold") >= 0)),
	CONSTRAINT "harvest_parts_allotted" CHECK (num_nonnulls("harvest_parts"."quantity", "harvest_parts"."taken", "harvest_parts"."given", "harvest_parts"."sold", "harvest_parts"."produce_kobo") in (0, 5)
        and ("harvest_parts"."quantity" is null or (least("harvest_parts"."taken", "harvest_parts"."given", "harvest_parts"."sold", "harvest_parts"."produce_kobo") >= 0
          and "harvest_parts"."quantity" = "harvest_parts"."taken" + "harvest_parts"."given" + "harvest_parts"."sold"))),
	CONSTRAINT "harvest_parts_code" CHECK (("harvest_parts"."code" is not null) = (coalesce("harvest_parts"."taken", 0) > 0) and "harvest_parts"."code" ~ '^[0-9]{6}$'),
	CONSTRAINT "harvest_parts_collected" CHECK (("harvest_parts"."collected_at" is null) = ("harvest_parts"."collected_by" is null) and num_nonnulls("harvest_parts"."collected_at", "harvest_parts"."uncollected_at") <= case when "harvest_parts"."code" is null then 0 else 1 end)
);
--> statement-breakpoint
CREATE TABLE "harvest_sales" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "harvest_sales_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"harvest_id" bigint NOT NULL,
	"pool" text NOT NULL,
	"buyer" text NOT NULL,
	"quantity" bigint,
	"amount_kobo" bigint NOT NULL,
	"recorded_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"declared_at" timestamp (3) with time zone,
	"request_id" bigint,
	"removed_at" timestamp (3) with time zone,
	"removed_by" uuid,
	CONSTRAINT "harvest_sales_pool" CHECK ("harvest_sales"."pool" in ('sold', 'uncollected')),
	CONSTRAINT "harvest_sales_amount" CHECK ("harvest_sales"."amount_kobo" > 0 and ("harvest_sales"."quantity" is null or "harvest_sales"."quantity" > 0)),
	CONSTRAINT "harvest_sales_declared" CHECK (("harvest_sales"."declared_at" is null) = ("harvest_sales"."request_id" is null)),
	CONSTRAINT "harvest_sales_removed" CHECK (("harvest_sales"."removed_at" is null) = ("harvest_sales"."removed_by" is null) and ("harvest_sales"."removed_at" is null or "harvest_sales"."declared_at" is null))
);
--> statement-breakpoint
CREATE TABLE "harvests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "harvests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"number" integer NOT NULL,
	"is_insurance" boolean NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"quantity" bigint,
	"lost_quantity" bigint DEFAULT 0 NOT NULL,
	"reference_price_kobo" bigint,
	"note" text DEFAULT '' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"chooses_until" timestamp (3) with time zone,
	"allotted_at" timestamp (3) with time zone,
	"farm_quantity" bigint,
	"collects_until" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone,
	"lost_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	CONSTRAINT "harvests_number_key" UNIQUE("project_id","round","number"),
	CONSTRAINT "harvests_state" CHECK ("harvests"."state" in ('draft', 'choosing', 'allotted', 'settled', 'done', 'lost', 'withdrawn')),
	CONSTRAINT "harvests_quantity" CHECK (("harvests"."is_insurance" and num_nonnulls("harvests"."quantity", "harvests"."reference_price_kobo", "harvests"."opened_at", "harvests"."allotted_at") = 0 and "harvests"."state" in ('draft', 'settled', 'done', 'withdrawn'))
        or (not "harvests"."is_insurance" and "harvests"."quantity" >= 0 and "harvests"."reference_price_kobo" > 0)),
	CONSTRAINT "harvests_lost_quantity" CHECK ("harvests"."lost_quantity" >= 0),
	CONSTRAINT "harvests_lost" CHECK (("harvests"."state" = 'lost') = ("harvests"."lost_at" is not null)),
	CONSTRAINT "harvests_done" CHECK (("harvests"."state" = 'done') = ("harvests"."done_at" is not null)),
	CONSTRAINT "harvests_withdrawn" CHECK (("harvests"."state" = 'withdrawn') = ("harvests"."withdrawn_at" is not null)),
	CONSTRAINT "harvests_opened" CHECK (("harvests"."opened_at" is null) = ("harvests"."chooses_until" is null) and ("harvests"."opened_at" is not null or "harvests"."is_insurance" or "harvests"."state" in ('draft', 'lost', 'withdrawn'))),
	CONSTRAINT "harvests_allotted" CHECK (("harvests"."allotted_at" is null) = ("harvests"."farm_quantity" is null) and ("harvests"."allotted_at" is not null or "harvests"."is_insurance" or "harvests"."state" in ('draft', 'choosing', 'lost', 'withdrawn')) and ("harvests"."allotted_at" is null or "harvests"."state" in ('allotted', 'settled', 'done', 'lost')) and ("harvests"."collects_until" is null or "harvests"."allotted_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "round_weights" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"backing_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"weight_kobo" bigint NOT NULL,
	CONSTRAINT "round_weights_project_id_round_backing_id_pk" PRIMARY KEY("project_id","round","backing_id"),
	CONSTRAINT "round_weights_weight" CHECK ("round_weights"."weight_kobo" > 0)
);
--> statement-breakpoint
CREATE TABLE "settlement_costs" (
	"settlement_id" bigint NOT NULL,
	"cost_id" bigint NOT NULL,
	"amount_kobo" bigint NOT NULL,
	CONSTRAINT "settlement_costs_settlement_id_cost_id_pk" PRIMARY KEY("settlement_id","cost_id"),
	CONSTRAINT "settlement_costs_amount" CHECK ("settlement_costs"."amount_kobo" > 0)
);
--> statement-breakpoint
CREATE TABLE "settlement_parts" (
	"settlement_id" bigint NOT NULL,
	"backing_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"weight" bigint NOT NULL,
	"share_kobo" bigint NOT NULL,
	"fee_kobo" bigint NOT NULL,
	"vat_kobo" bigint NOT NULL,
	"wht_kobo" bigint NOT NULL,
	"net_kobo" bigint NOT NULL,
	CONSTRAINT "settlement_parts_settlement_id_backing_id_pk" PRIMARY KEY("settlement_id","backing_id"),
	CONSTRAINT "settlement_parts_sums" CHECK (least("settlement_parts"."weight", "settlement_parts"."fee_kobo", "settlement_parts"."vat_kobo", "settlement_parts"."wht_kobo", "settlement_parts"."net_kobo") >= 0
        and "settlement_parts"."share_kobo" = "settlement_parts"."net_kobo" + "settlement_parts"."fee_kobo" + "settlement_parts"."vat_kobo" + "settlement_parts"."wht_kobo")
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settlements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"harvest_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"pool" text NOT NULL,
	"proceeds_kobo" bigint NOT NULL,
	"costs_kobo" bigint NOT NULL,
	"farm_costs_kobo" bigint NOT NULL,
	"farm_kobo" bigint NOT NULL,
	"net_kobo" bigint NOT NULL,
	"fee_kobo" bigint NOT NULL,
	"vat_kobo" bigint NOT NULL,
	"wht_kobo" bigint NOT NULL,
	"farm_quantity" bigint NOT NULL,
	"fee_rate" integer NOT NULL,
	"vat_rate" integer NOT NULL,
	"wht_rate" integer NOT NULL,
	"farm_deducted_kobo" bigint DEFAULT 0 NOT NULL,
	"settled_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"reversed_at" timestamp (3) with time zone,
	"reversed_by" uuid,
	"reversed_reason" text,
	CONSTRAINT "settlements_number_key" UNIQUE("harvest_id","number"),
	CONSTRAINT "settlements_pool" CHECK ("settlements"."pool" in ('sold', 'uncollected')),
	CONSTRAINT "settlements_sums" CHECK ("settlements"."proceeds_kobo" > 0 and least("settlements"."costs_kobo", "settlements"."farm_kobo", "settlements"."net_kobo", "settlements"."fee_kobo", "settlements"."vat_kobo", "settlements"."wht_kobo", "settlements"."farm_quantity") >= 0
        and "settlements"."proceeds_kobo" = "settlements"."costs_kobo" + "settlements"."farm_kobo" + "settlements"."net_kobo" + "settlements"."fee_kobo" + "settlements"."vat_kobo" + "settlements"."wht_kobo"),
	CONSTRAINT "settlements_farm" CHECK ("settlements"."farm_costs_kobo" between 0 and "settlements"."costs_kobo" and "settlements"."farm_deducted_kobo" between 0 and "settlements"."farm_kobo" + "settlements"."farm_costs_kobo"),
	CONSTRAINT "settlements_rates" CHECK ("settlements"."fee_rate" between 0 and 3000 and "settlements"."vat_rate" between 0 and 10000 and "settlements"."wht_rate" between 0 and 10000),
	CONSTRAINT "settlements_reversed" CHECK (num_nonnulls("settlements"."reversed_at", "settlements"."reversed_by", "settlements"."reversed_reason") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_one_per_account";--> statement-breakpoint
ALTER TABLE "stored_files" DROP CONSTRAINT "stored_files_kind";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_kind";--> statement-breakpoint
ALTER TABLE "line_matches" DROP CONSTRAINT "line_matches_about";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_kind";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_about";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "harvest_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "sale_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "harvest_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "settlement_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "sale_id" bigint;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "harvest_id" bigint;--> statement-breakpoint
ALTER TABLE "line_matches" ADD COLUMN "sale_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "settlement_id" bigint;--> statement-breakpoint
ALTER TABLE "harvest_costs" ADD CONSTRAINT "harvest_costs_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_costs" ADD CONSTRAINT "harvest_costs_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_costs" ADD CONSTRAINT "harvest_costs_removed_by_users_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_files" ADD CONSTRAINT "harvest_files_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_files" ADD CONSTRAINT "harvest_files_cost_id_harvest_costs_id_fk" FOREIGN KEY ("cost_id") REFERENCES "public"."harvest_costs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_files" ADD CONSTRAINT "harvest_files_sale_id_harvest_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."harvest_sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_files" ADD CONSTRAINT "harvest_files_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_files" ADD CONSTRAINT "harvest_files_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD CONSTRAINT "harvest_parts_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD CONSTRAINT "harvest_parts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_parts" ADD CONSTRAINT "harvest_parts_collected_by_users_id_fk" FOREIGN KEY ("collected_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_sales" ADD CONSTRAINT "harvest_sales_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_sales" ADD CONSTRAINT "harvest_sales_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_sales" ADD CONSTRAINT "harvest_sales_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_sales" ADD CONSTRAINT "harvest_sales_removed_by_users_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_weights" ADD CONSTRAINT "round_weights_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_costs" ADD CONSTRAINT "settlement_costs_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_costs" ADD CONSTRAINT "settlement_costs_cost_id_harvest_costs_id_fk" FOREIGN KEY ("cost_id") REFERENCES "public"."harvest_costs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_parts" ADD CONSTRAINT "settlement_parts_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_parts" ADD CONSTRAINT "settlement_parts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_reversed_by_users_id_fk" FOREIGN KEY ("reversed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "harvest_costs_of_harvest" ON "harvest_costs" USING btree ("harvest_id");--> statement-breakpoint
CREATE UNIQUE INDEX "harvest_parts_code_key" ON "harvest_parts" USING btree ("harvest_id","code") WHERE "harvest_parts"."code" is not null;--> statement-breakpoint
CREATE INDEX "harvest_parts_of_person" ON "harvest_parts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "harvest_sales_of_harvest" ON "harvest_sales" USING btree ("harvest_id");--> statement-breakpoint
CREATE INDEX "harvests_of_state" ON "harvests" USING btree ("state");--> statement-breakpoint
CREATE INDEX "round_weights_of_person" ON "round_weights" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "settlement_costs_of_cost" ON "settlement_costs" USING btree ("cost_id");--> statement-breakpoint
CREATE INDEX "settlement_parts_of_person" ON "settlement_parts" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_sale_id_harvest_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."harvest_sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_harvest" ON "ledger_entries" USING btree ("account","harvest_id") WHERE "ledger_entries"."harvest_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_sale" ON "ledger_entries" USING btree ("account","sale_id") WHERE "ledger_entries"."sale_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_sale" ON "line_matches" USING btree ("sale_id") WHERE "line_matches"."sale_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_harvest" ON "line_matches" USING btree ("harvest_id") WHERE "line_matches"."harvest_id" is not null;--> statement-breakpoint
CREATE INDEX "payouts_of_settlement" ON "payouts" USING btree ("settlement_id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_one_per_account" UNIQUE NULLS NOT DISTINCT("transaction_id","account","payment_id","project_id","round","user_id","own_account_id","line_id","payout_id","harvest_id","sale_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_settlement_once" UNIQUE("settlement_id","kind");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_sale_once" UNIQUE("sale_id");--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_kind" CHECK ("stored_files"."kind" in ('receipt', 'resume', 'photo', 'video', 'poster', 'evidence'));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'in_transit', 'unmatched_in', 'unmatched_out', 'receipts_held', 'project_funding', 'backer_due', 'payouts_in_transit', 'farm_released', 'farm_due', 'harvest_proceeds', 'harvest_costs', 'fee_income', 'vat_due', 'wht_due', 'produce_stock', 'produce_due', 'bank_charges', 'opening_difference', 'operator', 'losses'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_harvest" CHECK (("ledger_transactions"."kind" in ('settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected')) = ("ledger_transactions"."harvest_id" is not null)
        and ("ledger_transactions"."kind" in ('settlement', 'settlement_reversed')) = ("ledger_transactions"."settlement_id" is not null) and ("ledger_transactions"."kind" = 'sale_declared') = ("ledger_transactions"."sale_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'opening', 'line', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'payout_paid_by_hand', 'farm_release', 'farm_release_taken_back', 'sale_declared', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges', 'payout', 'returned', 'sale', 'harvest_cost', 'vat', 'wht'));--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_about" CHECK (("line_matches"."kind" in ('payment', 'taken_back', 'loss')) = ("line_matches"."payment_id" is not null) and ("line_matches"."kind" in ('payout', 'returned')) = ("line_matches"."payout_id" is not null) and ("line_matches"."kind" = 'own_transfer') = ("line_matches"."counter_line_id" is not null)
        and ("line_matches"."kind" = 'harvest_cost') = ("line_matches"."harvest_id" is not null) and ("line_matches"."kind" = 'sale') = ("line_matches"."sale_id" is not null));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_kind" CHECK ("payouts"."kind" in ('refund', 'surplus', 'harvest', 'farm'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_about" CHECK (case "payouts"."kind"
        when 'farm' then num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 1 and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."refund_id", "payouts"."payment_id") = 0
        when 'harvest' then num_nonnulls("payouts"."settlement_id", "payouts"."user_id", "payouts"."project_id") = 3 and num_nonnulls("payouts"."release_id", "payouts"."refund_id", "payouts"."payment_id") = 0
        else num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 0 and num_nonnulls("payouts"."user_id", "payouts"."refund_id", "payouts"."payment_id") = 3 end);--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'book_loss', 'fail_payout', 'enter_payee_account', 'refund_transferred', 'declare_sale', 'lose_harvest'));--> statement-breakpoint
-- The dimensions of each account. Not valid, because the oldest entries have none and stay as they are.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_dimensions;--> statement-breakpoint
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_dimensions CHECK (
  num_nonnulls(payment_id, project_id, round, user_id, own_account_id, line_id, payout_id, harvest_id, sale_id) = CASE account
    WHEN 'bank' THEN num_nonnulls(own_account_id)
    WHEN 'opening_difference' THEN 1
    WHEN 'in_transit' THEN 1
    WHEN 'receipts_held' THEN 1
    WHEN 'unmatched_in' THEN 1
    WHEN 'unmatched_out' THEN 1
    WHEN 'payouts_in_transit' THEN 1
    WHEN 'harvest_proceeds' THEN 1
    WHEN 'harvest_costs' THEN 1
    WHEN 'project_funding' THEN 2
    WHEN 'farm_released' THEN 2
    WHEN 'farm_due' THEN 2
    WHEN 'backer_due' THEN 2
    WHEN 'produce_stock' THEN 2
    WHEN 'produce_due' THEN 2
    ELSE 0
  END
  AND CASE account
    WHEN 'opening_difference' THEN own_account_id IS NOT NULL
    WHEN 'in_transit' THEN num_nonnulls(payment_id, sale_id) = 1
    WHEN 'receipts_held' THEN payment_id IS NOT NULL
    WHEN 'unmatched_in' THEN line_id IS NOT NULL
    WHEN 'unmatched_out' THEN line_id IS NOT NULL
    WHEN 'payouts_in_transit' THEN payout_id IS NOT NULL
    WHEN 'harvest_proceeds' THEN harvest_id IS NOT NULL
    WHEN 'harvest_costs' THEN harvest_id IS NOT NULL
    WHEN 'project_funding' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'farm_released' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'farm_due' THEN project_id IS NOT NULL AND round IS NOT NULL
    WHEN 'backer_due' THEN num_nonnulls(payment_id, harvest_id) = 1 AND user_id IS NOT NULL
    WHEN 'produce_stock' THEN harvest_id IS NOT NULL AND user_id IS NOT NULL
    WHEN 'produce_due' THEN harvest_id IS NOT NULL AND user_id IS NOT NULL
    ELSE true
  END
) NOT VALID;--> statement-breakpoint

-- A match is undone once; nothing else of it changes. That a payout came back is never undone.
CREATE OR REPLACE FUNCTION refuse_change_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.undone_at IS NOT NULL OR OLD.kind = 'returned' OR
    to_jsonb(OLD) - ARRAY['undone_at', 'undone_by', 'undone_reason']
    IS DISTINCT FROM to_jsonb(NEW) - ARRAY['undone_at', 'undone_by', 'undone_reason']
  THEN
    RAISE EXCEPTION 'match % of a line: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint

-- As before; a settlement that a payout is of never changes either.
CREATE OR REPLACE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.kind, OLD.user_id, OLD.refund_id, OLD.release_id, OLD.settlement_id, OLD.payment_id, OLD.project_id,
      OLD.project_title, OLD.round, OLD.amount_kobo, OLD.part, OLD.parts, OLD.reference, OLD.replaces_id, OLD.created_at,
      OLD.is_from_before)
    IS DISTINCT FROM
    (NEW.id, NEW.kind, NEW.user_id, NEW.refund_id, NEW.release_id, NEW.settlement_id, NEW.payment_id, NEW.project_id,
      NEW.project_title, NEW.round, NEW.amount_kobo, NEW.part, NEW.parts, NEW.reference, NEW.replaces_id, NEW.created_at,
      NEW.is_from_before)
    OR (OLD.checked_at IS NOT NULL AND NEW.checked_at IS DISTINCT FROM OLD.checked_at)
    OR (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'due'), ('waiting', 'cancelled'), ('due', 'due'),
      ('due', 'waiting'), ('due', 'in_run'), ('due', 'cancelled'), ('in_run', 'in_run'), ('in_run', 'due'), ('in_run', 'sent'),
      ('sent', 'sent'), ('sent', 'paid'), ('sent', 'failed'), ('paid', 'paid'), ('paid', 'sent'), ('paid', 'failed'))
      AND NOT (OLD.state = 'waiting' AND NEW.state = 'paid' AND OLD.is_from_before AND OLD.checked_at IS NULL)
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint

-- What a refund, a release or a settlement owes is what its payouts pay.
CREATE OR REPLACE FUNCTION check_payouts_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refund bigint;
  release bigint;
  settlement bigint;
  owed bigint;
  paid bigint;
BEGIN
  IF TG_TABLE_NAME = 'payouts' THEN
    refund := NEW.refund_id; release := NEW.release_id; settlement := NEW.settlement_id;
  ELSIF TG_TABLE_NAME = 'refunds' THEN refund := NEW.id;
  ELSIF TG_TABLE_NAME = 'settlements' THEN settlement := NEW.id;
  ELSE release := NEW.id;
  END IF;
  IF refund IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM refunds WHERE id = refund;
    SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
      WHERE refund_id = refund AND state NOT IN ('failed', 'cancelled');
  ELSIF release IS NOT NULL THEN
    SELECT CASE WHEN taken_back_at IS NULL THEN amount_kobo ELSE 0 END INTO owed FROM farm_releases WHERE id = release;
    SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
      WHERE release_id = release AND state NOT IN ('failed', 'cancelled');
  ELSE
    SELECT CASE WHEN reversed_at IS NULL THEN net_kobo + farm_kobo + farm_costs_kobo - farm_deducted_kobo ELSE 0 END INTO owed
      FROM settlements WHERE id = settlement;
    SELECT coalesce(sum(amount_kobo), 0) INTO paid FROM payouts
      WHERE settlement_id = settlement AND state NOT IN ('failed', 'cancelled');
  END IF;
  IF owed IS DISTINCT FROM paid THEN
    RAISE EXCEPTION 'refund %, release % or settlement % owes % kobo, its payouts are %', refund, release, settlement, owed, paid
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_are_what_is_owed';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER settlements_have_payouts AFTER INSERT OR UPDATE ON settlements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();--> statement-breakpoint

-- A harvest goes forward; the quantity is fixed with the allotment, and may only fall while backers choose.
CREATE FUNCTION refuse_change_of_harvest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.project_id, OLD.project_title, OLD.round, OLD.number, OLD.is_insurance, OLD.created_by, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.project_id, NEW.project_title, NEW.round, NEW.number, NEW.is_insurance, NEW.created_by, NEW.created_at)
    OR (OLD.opened_at IS NOT NULL AND (OLD.opened_at, OLD.chooses_until) IS DISTINCT FROM (NEW.opened_at, NEW.chooses_until))
    OR (OLD.opened_at IS NOT NULL AND NEW.quantity > OLD.quantity)
    OR (OLD.allotted_at IS NOT NULL AND (OLD.allotted_at, OLD.quantity, OLD.farm_quantity, OLD.reference_price_kobo, OLD.collects_until)
      IS DISTINCT FROM (NEW.allotted_at, NEW.quantity, NEW.farm_quantity, NEW.reference_price_kobo, NEW.collects_until))
    OR (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('draft', 'choosing'), ('draft', 'lost'), ('draft', 'settled'),
      ('draft', 'withdrawn'), ('choosing', 'allotted'), ('choosing', 'lost'), ('choosing', 'withdrawn'), ('allotted', 'settled'),
      ('allotted', 'done'), ('allotted', 'lost'), ('settled', 'done'), ('settled', 'allotted'), ('settled', 'draft')))
  THEN
    RAISE EXCEPTION 'harvest % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER harvests_stay BEFORE DELETE OR UPDATE ON harvests
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_harvest();--> statement-breakpoint

-- What was allotted stays; that it was collected, or wasn't, is written once.
CREATE FUNCTION refuse_change_of_harvest_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.harvest_id, OLD.backing_id, OLD.user_id, OLD.weight_kobo) IS DISTINCT FROM
      (NEW.harvest_id, NEW.backing_id, NEW.user_id, NEW.weight_kobo)
    OR (OLD.quantity IS NOT NULL AND to_jsonb(OLD) - ARRAY['collected_at', 'collected_by', 'uncollected_at']
      IS DISTINCT FROM to_jsonb(NEW) - ARRAY['collected_at', 'collected_by', 'uncollected_at'])
    OR (num_nonnulls(OLD.collected_at, OLD.uncollected_at) > 0 AND (OLD.collected_at, OLD.collected_by, OLD.uncollected_at)
      IS DISTINCT FROM (NEW.collected_at, NEW.collected_by, NEW.uncollected_at))
  THEN
    RAISE EXCEPTION 'part of backing % in harvest %: change refused', OLD.backing_id, OLD.harvest_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER harvest_parts_stay BEFORE UPDATE ON harvest_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_harvest_part();--> statement-breakpoint
CREATE TRIGGER round_weights_append_only BEFORE DELETE OR UPDATE ON round_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint

-- A settlement is reversed once, and what is owed to the farm of it falls once; nothing else of it changes.
CREATE FUNCTION refuse_change_of_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.reversed_at IS NOT NULL OR OLD.farm_deducted_kobo > 0 OR
    to_jsonb(OLD) - ARRAY['reversed_at', 'reversed_by', 'reversed_reason', 'farm_deducted_kobo']
    IS DISTINCT FROM to_jsonb(NEW) - ARRAY['reversed_at', 'reversed_by', 'reversed_reason', 'farm_deducted_kobo']
  THEN
    RAISE EXCEPTION 'settlement %: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER settlements_stay BEFORE DELETE OR UPDATE ON settlements
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_settlement();--> statement-breakpoint
CREATE TRIGGER settlement_parts_append_only BEFORE DELETE OR UPDATE ON settlement_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER settlement_costs_append_only BEFORE DELETE OR UPDATE ON settlement_costs
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
