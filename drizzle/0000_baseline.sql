-- Searches by parts of words.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "alarms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"finding" jsonb NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action_type" text NOT NULL,
	"user_id" uuid,
	"user_email" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"ip_address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "own_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bank_name" text NOT NULL,
	"account_name" text NOT NULL,
	"account_number" text NOT NULL,
	"bank_code" text,
	"is_active" boolean NOT NULL,
	"mapping" jsonb,
	"day_order" text,
	"opened_on" date,
	"opening_kobo" bigint,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "own_accounts_number_key" UNIQUE("account_number","bank_name"),
	CONSTRAINT "own_accounts_number" CHECK ("own_accounts"."account_number" ~ '^[0-9]{10}$'),
	CONSTRAINT "own_accounts_bank_code" CHECK ("own_accounts"."bank_code" ~ '^([0-9]{3}|[0-9]{6})$'),
	CONSTRAINT "own_accounts_day_order" CHECK ("own_accounts"."day_order" in ('day_first', 'month_first')),
	CONSTRAINT "own_accounts_opened" CHECK (("own_accounts"."opened_on" is null) = ("own_accounts"."opening_kobo" is null))
);
--> statement-breakpoint
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
CREATE TABLE "statement_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statement_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"own_account_id" bigint NOT NULL,
	"statement_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"position" integer NOT NULL,
	"date" date NOT NULL,
	"value_date" date,
	"amount_kobo" bigint NOT NULL,
	"balance_kobo" bigint,
	"gap_kobo" bigint,
	"narration" text NOT NULL,
	"bank_reference" text,
	"customer_reference" text,
	"counterparty" text,
	"session_id" text,
	"is_reversal" boolean NOT NULL,
	"reference" text,
	"suggested_rule" text,
	"fingerprint" text NOT NULL,
	"repetition" integer NOT NULL,
	"matched_kobo" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statement_lines_once" UNIQUE("own_account_id","fingerprint","repetition"),
	CONSTRAINT "statement_lines_amount" CHECK ("statement_lines"."amount_kobo" <> 0),
	CONSTRAINT "statement_lines_matched" CHECK ("statement_lines"."matched_kobo" between 0 and abs("statement_lines"."amount_kobo")),
	CONSTRAINT "statement_lines_repetition" CHECK ("statement_lines"."repetition" >= 0)
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"own_account_id" bigint NOT NULL,
	"file_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" integer NOT NULL,
	"format" text NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"lines" integer NOT NULL,
	"new_lines" integer NOT NULL,
	"pending_entries" integer NOT NULL,
	"failed_entries" integer DEFAULT 0 NOT NULL,
	"reversed_entries" integer DEFAULT 0 NOT NULL,
	"zero_entries" integer DEFAULT 0 NOT NULL,
	"other_rows" integer DEFAULT 0 NOT NULL,
	"opening_kobo" bigint,
	"closing_kobo" bigint,
	"gap_reason" text,
	"imported_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statements_days" CHECK ("statements"."first_day" <= "statements"."last_day"),
	CONSTRAINT "statements_lines" CHECK ("statements"."new_lines" between 0 and "statements"."lines")
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"storage_key" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" bigint NOT NULL,
	"content_type" text NOT NULL,
	"original_name" text NOT NULL,
	"uploaded_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stored_files_storage_key_key" UNIQUE("storage_key"),
	CONSTRAINT "stored_files_kind" CHECK ("stored_files"."kind" in ('receipt', 'resume', 'photo', 'video', 'poster', 'evidence', 'paper', 'statement')),
	CONSTRAINT "stored_files_sha256" CHECK ("stored_files"."sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "stored_files_bytes" CHECK ("stored_files"."bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "harvest_costs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "harvest_costs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"harvest_id" bigint NOT NULL,
	"label" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"paid_by" text NOT NULL,
	"request_id" bigint,
	"recorded_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"removed_by" uuid,
	CONSTRAINT "harvest_costs_amount" CHECK ("harvest_costs"."amount_kobo" > 0),
	CONSTRAINT "harvest_costs_paid_by" CHECK ("harvest_costs"."paid_by" in ('platform', 'farm')),
	CONSTRAINT "harvest_costs_counted" CHECK ("harvest_costs"."request_id" is null or "harvest_costs"."paid_by" = 'farm'),
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
	"taken_back_at" timestamp (3) with time zone,
	"taken_back_request_id" bigint,
	"removed_at" timestamp (3) with time zone,
	"removed_by" uuid,
	CONSTRAINT "harvest_sales_pool" CHECK ("harvest_sales"."pool" in ('sold', 'uncollected')),
	CONSTRAINT "harvest_sales_amount" CHECK ("harvest_sales"."amount_kobo" > 0 and ("harvest_sales"."quantity" is null or "harvest_sales"."quantity" > 0)),
	CONSTRAINT "harvest_sales_taken_back" CHECK (("harvest_sales"."taken_back_at" is null) = ("harvest_sales"."taken_back_request_id" is null) and num_nonnulls("harvest_sales"."taken_back_at", "harvest_sales"."declared_at") < 2),
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
	"opened_quantity" bigint,
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
	"rest_lost_at" timestamp (3) with time zone,
	"rest_lost_reason" text,
	"lost_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"costs_lost_at" timestamp (3) with time zone,
	CONSTRAINT "harvests_number_key" UNIQUE("project_id","round","number"),
	CONSTRAINT "harvests_state" CHECK ("harvests"."state" in ('draft', 'choosing', 'allotted', 'settled', 'done', 'lost', 'withdrawn')),
	CONSTRAINT "harvests_quantity" CHECK (("harvests"."is_insurance" and num_nonnulls("harvests"."quantity", "harvests"."reference_price_kobo", "harvests"."opened_at", "harvests"."allotted_at") = 0 and "harvests"."state" in ('draft', 'settled', 'done', 'withdrawn'))
        or (not "harvests"."is_insurance" and "harvests"."quantity" >= 0 and "harvests"."reference_price_kobo" > 0)),
	CONSTRAINT "harvests_opened_quantity" CHECK (("harvests"."opened_at" is null) = ("harvests"."opened_quantity" is null) and "harvests"."quantity" <= "harvests"."opened_quantity"),
	CONSTRAINT "harvests_lost_quantity" CHECK ("harvests"."lost_quantity" >= 0),
	CONSTRAINT "harvests_lost" CHECK (("harvests"."state" = 'lost') = ("harvests"."lost_at" is not null)),
	CONSTRAINT "harvests_done" CHECK (("harvests"."state" = 'done') = ("harvests"."done_at" is not null)),
	CONSTRAINT "harvests_rest_lost" CHECK (("harvests"."rest_lost_at" is null) = ("harvests"."rest_lost_reason" is null) and ("harvests"."rest_lost_at" is null or "harvests"."done_at" is not null)),
	CONSTRAINT "harvests_withdrawn" CHECK (("harvests"."state" = 'withdrawn') = ("harvests"."withdrawn_at" is not null)),
	CONSTRAINT "harvests_opened" CHECK (("harvests"."opened_at" is null) = ("harvests"."chooses_until" is null) and ("harvests"."opened_at" is not null or "harvests"."is_insurance" or "harvests"."state" in ('draft', 'lost', 'withdrawn'))),
	CONSTRAINT "harvests_allotted" CHECK (("harvests"."allotted_at" is null) = ("harvests"."farm_quantity" is null) and ("harvests"."allotted_at" is not null or "harvests"."is_insurance" or "harvests"."state" in ('draft', 'choosing', 'lost', 'withdrawn')) and ("harvests"."allotted_at" is null or "harvests"."state" in ('allotted', 'settled', 'done', 'lost')) and ("harvests"."collects_until" is null or "harvests"."allotted_at" is not null)),
	CONSTRAINT "harvests_costs_lost" CHECK ("harvests"."costs_lost_at" is null or "harvests"."state" in ('lost', 'withdrawn', 'done'))
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
CREATE TABLE "holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "holds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"lots" integer NOT NULL,
	"reference" text,
	"state" text DEFAULT 'live' NOT NULL,
	"until" timestamp (3) with time zone,
	"has_receipt" boolean DEFAULT false NOT NULL,
	"until_before_receipt" timestamp (3) with time zone,
	"is_extended" boolean DEFAULT false NOT NULL,
	"warned_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"end_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "holds_state" CHECK ("holds"."state" in ('live', 'claimed', 'used', 'lapsed', 'released', 'ended')),
	CONSTRAINT "holds_lots" CHECK ("holds"."lots" between 1 and 1000),
	CONSTRAINT "holds_until" CHECK (("holds"."state" = 'live') = ("holds"."until" is not null)),
	CONSTRAINT "holds_ended" CHECK (("holds"."state" in ('live', 'claimed')) = ("holds"."ended_at" is null)),
	CONSTRAINT "holds_end_reason" CHECK ("holds"."end_reason" is null or "holds"."state" = 'ended')
);
--> statement-breakpoint
CREATE TABLE "waiting_list" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "waiting_list_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"lots" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"offered_at" timestamp (3) with time zone,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "waiting_list_lots" CHECK ("waiting_list"."lots" between 1 and 1000),
	CONSTRAINT "waiting_list_left" CHECK ("waiting_list"."offered_at" is null or "waiting_list"."left_at" is null)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction_id" bigint NOT NULL,
	"account" text NOT NULL,
	"payment_id" bigint,
	"project_id" integer,
	"round" integer,
	"user_id" uuid,
	"own_account_id" bigint,
	"line_id" bigint,
	"payout_id" bigint,
	"harvest_id" bigint,
	"sale_id" bigint,
	"amount_kobo" bigint NOT NULL,
	CONSTRAINT "ledger_entries_one_per_account" UNIQUE NULLS NOT DISTINCT("transaction_id","account","payment_id","project_id","round","user_id","own_account_id","line_id","payout_id","harvest_id","sale_id"),
	CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'opening', 'in_transit', 'receivable', 'unmatched_in', 'unmatched_out', 'unallocated', 'project_funding', 'backer_due', 'payouts_in_transit', 'farm_released', 'farm_due', 'harvest_proceeds', 'harvest_costs', 'fee_income', 'vat_due', 'wht_due', 'produce_stock', 'produce_due', 'bank_charges', 'operator', 'losses')),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount_kobo" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_transactions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"payment_id" bigint,
	"project_id" integer,
	"project_title" text,
	"round" integer,
	"user_id" uuid,
	"own_account_id" bigint,
	"line_id" bigint,
	"match_id" bigint,
	"payout_id" bigint,
	"release_id" bigint,
	"harvest_id" bigint,
	"settlement_id" bigint,
	"sale_id" bigint,
	"actor_id" uuid,
	"reverses_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_transactions_reversed_once" UNIQUE("reverses_id"),
	CONSTRAINT "ledger_transactions_opened_once" UNIQUE("own_account_id"),
	CONSTRAINT "ledger_transactions_line_once" UNIQUE("line_id"),
	CONSTRAINT "ledger_transactions_match_once" UNIQUE("match_id","kind"),
	CONSTRAINT "ledger_transactions_payout_once" UNIQUE("payout_id","kind"),
	CONSTRAINT "ledger_transactions_release_once" UNIQUE("release_id","kind"),
	CONSTRAINT "ledger_transactions_settlement_once" UNIQUE("settlement_id","kind"),
	CONSTRAINT "ledger_transactions_sale_once" UNIQUE("sale_id","kind"),
	CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'opening', 'line', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'farm_release', 'farm_release_taken_back', 'sale_declared', 'sale_taken_back', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected')),
	CONSTRAINT "ledger_transactions_reversal" CHECK (("ledger_transactions"."kind" = 'reversal') = ("ledger_transactions"."reverses_id" is not null)),
	CONSTRAINT "ledger_transactions_payment" CHECK (num_nonnulls("ledger_transactions"."payment_id", "ledger_transactions"."project_title", "ledger_transactions"."round", "ledger_transactions"."user_id") in (0, 4) and ("ledger_transactions"."payment_id" is not null or ("ledger_transactions"."project_id" is null and "ledger_transactions"."kind" not in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival')))),
	CONSTRAINT "ledger_transactions_project" CHECK ("ledger_transactions"."project_id" is not null or "ledger_transactions"."kind" not in ('approval', 'reversal')),
	CONSTRAINT "ledger_transactions_opening" CHECK (("ledger_transactions"."kind" = 'opening') = ("ledger_transactions"."own_account_id" is not null)),
	CONSTRAINT "ledger_transactions_line" CHECK (("ledger_transactions"."kind" = 'line') = ("ledger_transactions"."line_id" is not null)),
	CONSTRAINT "ledger_transactions_match" CHECK (("ledger_transactions"."kind" in ('match', 'undone_match')) = ("ledger_transactions"."match_id" is not null)),
	CONSTRAINT "ledger_transactions_payout" CHECK (("ledger_transactions"."kind" in ('payout_sent', 'payout_failed')) = ("ledger_transactions"."payout_id" is not null)),
	CONSTRAINT "ledger_transactions_release" CHECK (("ledger_transactions"."kind" in ('farm_release', 'farm_release_taken_back')) = ("ledger_transactions"."release_id" is not null)),
	CONSTRAINT "ledger_transactions_harvest" CHECK (("ledger_transactions"."kind" in ('settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected')) = ("ledger_transactions"."harvest_id" is not null)
        and ("ledger_transactions"."kind" in ('settlement', 'settlement_reversed')) = ("ledger_transactions"."settlement_id" is not null) and ("ledger_transactions"."kind" in ('sale_declared', 'sale_taken_back')) = ("ledger_transactions"."sale_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "line_matches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "line_matches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"line_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"payment_id" bigint,
	"payout_id" bigint,
	"harvest_id" bigint,
	"sale_id" bigint,
	"counter_line_id" bigint,
	"credit_match_id" bigint,
	"request_id" bigint,
	"rule" text,
	"is_named" boolean DEFAULT true NOT NULL,
	"reason" text,
	"made_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"undone_by" uuid,
	"undone_reason" text,
	CONSTRAINT "line_matches_kind" CHECK ("line_matches"."kind" in ('payment', 'operator', 'own_transfer', 'taken_back', 'loss', 'bank_charges', 'payout', 'returned', 'sale', 'harvest_cost', 'vat', 'wht')),
	CONSTRAINT "line_matches_amount" CHECK ("line_matches"."amount_kobo" > 0),
	CONSTRAINT "line_matches_about" CHECK (("line_matches"."kind" in ('payment', 'taken_back', 'loss')) = ("line_matches"."payment_id" is not null) and ("line_matches"."kind" in ('payout', 'returned')) = ("line_matches"."payout_id" is not null) and ("line_matches"."kind" = 'own_transfer') = ("line_matches"."counter_line_id" is not null)
        and ("line_matches"."kind" = 'harvest_cost') = ("line_matches"."harvest_id" is not null) and ("line_matches"."kind" = 'sale') = ("line_matches"."sale_id" is not null)),
	CONSTRAINT "line_matches_credit" CHECK (("line_matches"."kind" = 'taken_back') = ("line_matches"."credit_match_id" is not null)),
	CONSTRAINT "line_matches_reason" CHECK ("line_matches"."kind" <> 'operator' or "line_matches"."reason" is not null),
	CONSTRAINT "line_matches_undone" CHECK (("line_matches"."undone_at" is null) = ("line_matches"."undone_by" is null))
);
--> statement-breakpoint
CREATE TABLE "notification_opt_outs" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_opt_outs_pkey" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"about_user_id" uuid,
	"project_id" integer,
	"event_key" text NOT NULL,
	"is_about_money" boolean DEFAULT false NOT NULL,
	"is_read" boolean DEFAULT false NOT NULL,
	"email_sent" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_one_per_event" UNIQUE("user_id","event_key")
);
--> statement-breakpoint
CREATE TABLE "outgoing_mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outgoing_mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_key" text NOT NULL,
	"recipient" text NOT NULL,
	"notification_id" bigint,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"holds_token" boolean DEFAULT false NOT NULL,
	"message_id" text NOT NULL,
	"refusal" text,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outgoing_mails_one_per_event" UNIQUE("event_key","recipient"),
	CONSTRAINT "outgoing_mails_message_id_key" UNIQUE("message_id"),
	CONSTRAINT "outgoing_mails_sent_or_refused" CHECK ("outgoing_mails"."sent_at" is null or "outgoing_mails"."refusal" is null)
);
--> statement-breakpoint
CREATE TABLE "paper_counters" (
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "paper_counters_kind_year_pk" PRIMARY KEY("kind","year"),
	CONSTRAINT "paper_counters_kind" CHECK ("paper_counters"."kind" in ('receipt', 'refund_note', 'settlement', 'statement', 'run_sheet', 'tax_list')),
	CONSTRAINT "paper_counters_last" CHECK ("paper_counters"."last" > 0)
);
--> statement-breakpoint
CREATE TABLE "papers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "papers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"code" text NOT NULL,
	"user_id" uuid,
	"payment_id" bigint,
	"refund_id" bigint,
	"settlement_id" bigint,
	"run_id" bigint,
	"first_day" date,
	"last_day" date,
	"amount_kobo" bigint NOT NULL,
	"content" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"file_id" uuid,
	"replaced_at" timestamp (3) with time zone,
	CONSTRAINT "papers_number_key" UNIQUE("kind","year","sequence"),
	CONSTRAINT "papers_code_key" UNIQUE("code"),
	CONSTRAINT "papers_file_key" UNIQUE("file_id"),
	CONSTRAINT "papers_kind" CHECK ("papers"."kind" in ('receipt', 'refund_note', 'settlement', 'statement', 'run_sheet', 'tax_list')),
	CONSTRAINT "papers_about" CHECK (num_nonnulls("papers"."payment_id", "papers"."refund_id", "papers"."settlement_id", "papers"."run_id", "papers"."first_day") = 1
        and ("papers"."first_day" is null) = ("papers"."last_day" is null)
        and case "papers"."kind"
          when 'receipt' then "papers"."payment_id" is not null and "papers"."user_id" is not null
          when 'refund_note' then "papers"."refund_id" is not null and "papers"."user_id" is not null
          when 'settlement' then "papers"."settlement_id" is not null and "papers"."user_id" is not null
          when 'statement' then "papers"."first_day" is not null and "papers"."user_id" is not null
          when 'run_sheet' then "papers"."run_id" is not null and "papers"."user_id" is null
          else "papers"."first_day" is not null and "papers"."user_id" is null end),
	CONSTRAINT "papers_days" CHECK ("papers"."first_day" <= "papers"."last_day"),
	CONSTRAINT "papers_number" CHECK ("papers"."sequence" > 0 and "papers"."year" between 2020 and 9999),
	CONSTRAINT "papers_amount" CHECK ("papers"."amount_kobo" >= 0),
	CONSTRAINT "papers_code" CHECK ("papers"."code" ~ '^[0-9A-HJKMNP-TV-Z]{16}$')
);
--> statement-breakpoint
CREATE TABLE "payment_receipts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_receipts_of_payment_key" UNIQUE("payment_id","id"),
	CONSTRAINT "payment_receipts_file_key" UNIQUE("file_id"),
	CONSTRAINT "payment_receipts_idempotency_key" UNIQUE("user_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "payment_references" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_references_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"round" integer,
	"terms_version" integer,
	"agreed_at" timestamp (3) with time zone,
	"lots" integer,
	"lot_price_kobo" bigint,
	"retired_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_references_reference_key" UNIQUE("reference"),
	CONSTRAINT "payment_references_agreed" CHECK (num_nonnulls("payment_references"."round", "payment_references"."terms_version", "payment_references"."agreed_at", "payment_references"."lots", "payment_references"."lot_price_kobo") in (0, 5))
);
--> statement-breakpoint
CREATE TABLE "project_payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer,
	"project_title" text NOT NULL,
	"user_id" uuid NOT NULL,
	"lots" integer NOT NULL,
	"terms_version" integer NOT NULL,
	"agreed_at" timestamp (3) with time zone,
	"amount_kobo" bigint NOT NULL,
	"reference" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"round" integer NOT NULL,
	"rejection_reason" text,
	"current_receipt_id" uuid,
	"refund_email" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_payments_status" CHECK ("project_payments"."status" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "project_payments_amount" CHECK ("project_payments"."amount_kobo" > 0),
	CONSTRAINT "project_payments_round" CHECK ("project_payments"."round" >= 1),
	CONSTRAINT "project_payments_lots" CHECK ("project_payments"."lots" between 1 and 1000),
	CONSTRAINT "project_payments_rejection_reason" CHECK ("project_payments"."rejection_reason" is null or "project_payments"."status" = 'rejected'),
	CONSTRAINT "project_payments_refund_email" CHECK ("project_payments"."refund_email" is null or "project_payments"."status" = 'pending')
);
--> statement-breakpoint
CREATE TABLE "farm_releases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_releases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	"taken_back_by" uuid,
	"taken_back_reason" text,
	CONSTRAINT "farm_releases_amount" CHECK ("farm_releases"."amount_kobo" > 0),
	CONSTRAINT "farm_releases_taken_back" CHECK (num_nonnulls("farm_releases"."taken_back_at", "farm_releases"."taken_back_by", "farm_releases"."taken_back_reason") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "payee_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payee_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid,
	"project_id" integer,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"usable_from" timestamp (3) with time zone NOT NULL,
	"added_by" uuid NOT NULL,
	"request_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp (3) with time zone,
	CONSTRAINT "payee_accounts_owner" CHECK (num_nonnulls("payee_accounts"."user_id", "payee_accounts"."project_id") = 1),
	CONSTRAINT "payee_accounts_own" CHECK ("payee_accounts"."user_id" is null or "payee_accounts"."added_by" = "payee_accounts"."user_id" or "payee_accounts"."request_id" is not null),
	CONSTRAINT "payee_accounts_farm" CHECK ("payee_accounts"."project_id" is null or "payee_accounts"."request_id" is not null),
	CONSTRAINT "payee_accounts_number" CHECK ("payee_accounts"."account_number" ~ '^[0-9]{10}$'),
	CONSTRAINT "payee_accounts_bank_code" CHECK ("payee_accounts"."bank_code" ~ '^([0-9]{3}|[0-9]{6})$')
);
--> statement-breakpoint
CREATE TABLE "payout_files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" bigint NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb NOT NULL,
	"sha256" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payout_files_one_per_format" UNIQUE("run_id","format"),
	CONSTRAINT "payout_files_format" CHECK ("payout_files"."format" in ('csv', 'xlsx')),
	CONSTRAINT "payout_files_hash" CHECK ("payout_files"."sha256" = encode(sha256("payout_files"."bytes"), 'hex'))
);
--> statement-breakpoint
CREATE TABLE "payout_run_lines" (
	"run_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"payout_id" bigint NOT NULL,
	"payee_account_id" bigint NOT NULL,
	CONSTRAINT "payout_run_lines_run_id_position_pk" PRIMARY KEY("run_id","position"),
	CONSTRAINT "payout_run_lines_once" UNIQUE("run_id","payout_id")
);
--> statement-breakpoint
CREATE TABLE "payout_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text DEFAULT 'draft' NOT NULL,
	"own_account_id" bigint NOT NULL,
	"payouts" integer NOT NULL,
	"total_kobo" bigint NOT NULL,
	"lines_sha256" text NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"approved_by" uuid,
	"approved_at" timestamp (3) with time zone,
	"alone_reason" text,
	"exported_by" uuid,
	"exported_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"voided_by" uuid,
	"voided_at" timestamp (3) with time zone,
	"void_reason" text,
	CONSTRAINT "payout_runs_state" CHECK ("payout_runs"."state" in ('draft', 'approved', 'exported', 'closed', 'void')),
	CONSTRAINT "payout_runs_size" CHECK ("payout_runs"."payouts" > 0 and "payout_runs"."total_kobo" > 0),
	CONSTRAINT "payout_runs_approved" CHECK (("payout_runs"."approved_by" is null) = ("payout_runs"."approved_at" is null) and ("payout_runs"."state" in ('draft', 'void') or "payout_runs"."approved_at" is not null)),
	CONSTRAINT "payout_runs_two_people" CHECK ("payout_runs"."approved_by" is null or ("payout_runs"."approved_by" = "payout_runs"."made_by") = ("payout_runs"."alone_reason" is not null)),
	CONSTRAINT "payout_runs_exported" CHECK (("payout_runs"."exported_by" is null) = ("payout_runs"."exported_at" is null) and ("payout_runs"."state" in ('exported', 'closed')) = ("payout_runs"."exported_at" is not null)),
	CONSTRAINT "payout_runs_closed" CHECK (("payout_runs"."state" = 'closed') = ("payout_runs"."closed_at" is not null)),
	CONSTRAINT "payout_runs_void" CHECK (num_nonnulls("payout_runs"."voided_by", "payout_runs"."voided_at", "payout_runs"."void_reason") = case "payout_runs"."state" when 'void' then 3 else 0 end)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"user_id" uuid,
	"refund_id" bigint,
	"release_id" bigint,
	"settlement_id" bigint,
	"payment_id" bigint,
	"project_id" integer,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"part" integer NOT NULL,
	"parts" integer NOT NULL,
	"reference" text NOT NULL,
	"run_id" bigint,
	"replaces_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone,
	"promised_by" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"paid_at" timestamp (3) with time zone,
	"paid_by" uuid,
	"paid_session_id" text,
	"paid_reason" text,
	"failed_at" timestamp (3) with time zone,
	"failed_reason" text,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_reference_key" UNIQUE("reference"),
	CONSTRAINT "payouts_replaced_once" UNIQUE("replaces_id"),
	CONSTRAINT "payouts_session_id_key" UNIQUE("paid_session_id"),
	CONSTRAINT "payouts_kind" CHECK ("payouts"."kind" in ('refund', 'surplus', 'harvest', 'farm')),
	CONSTRAINT "payouts_state" CHECK ("payouts"."state" in ('waiting', 'due', 'in_run', 'sent', 'paid', 'failed', 'cancelled')),
	CONSTRAINT "payouts_about" CHECK (case "payouts"."kind"
        when 'farm' then num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 1 and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."refund_id", "payouts"."payment_id") = 0
        when 'harvest' then num_nonnulls("payouts"."settlement_id", "payouts"."user_id", "payouts"."project_id") = 3 and num_nonnulls("payouts"."release_id", "payouts"."refund_id", "payouts"."payment_id") = 0
        else num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 0 and num_nonnulls("payouts"."user_id", "payouts"."refund_id", "payouts"."payment_id") = 3 end),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount_kobo" > 0),
	CONSTRAINT "payouts_parts" CHECK ("payouts"."part" between 1 and "payouts"."parts"),
	CONSTRAINT "payouts_in_run" CHECK (("payouts"."run_id" is not null) or "payouts"."state" in ('waiting', 'due', 'cancelled')),
	CONSTRAINT "payouts_not_in_run" CHECK (("payouts"."run_id" is null) or "payouts"."state" in ('in_run', 'sent', 'paid', 'failed')),
	CONSTRAINT "payouts_due" CHECK (("payouts"."due_at" is null) = ("payouts"."promised_by" is null) and ("payouts"."due_at" is not null or "payouts"."state" in ('waiting', 'cancelled'))),
	CONSTRAINT "payouts_sent" CHECK (("payouts"."sent_at" is not null) = ("payouts"."state" in ('sent', 'paid', 'failed'))),
	CONSTRAINT "payouts_paid" CHECK (("payouts"."state" <> 'paid' or "payouts"."paid_at" is not null) and ("payouts"."paid_at" is null or "payouts"."state" in ('paid', 'failed'))),
	CONSTRAINT "payouts_paid_by_hand" CHECK (num_nonnulls("payouts"."paid_by", "payouts"."paid_session_id", "payouts"."paid_reason") in (0, 3) and ("payouts"."paid_by" is null or "payouts"."paid_at" is not null)),
	CONSTRAINT "payouts_failed" CHECK (num_nonnulls("payouts"."failed_at", "payouts"."failed_reason") = case "payouts"."state" when 'failed' then 2 else 0 end),
	CONSTRAINT "payouts_cancelled" CHECK (("payouts"."cancelled_at" is not null) = ("payouts"."state" = 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "backing_weights" (
	"backing_id" bigint NOT NULL,
	"round" integer NOT NULL,
	"weight_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "backing_weights_backing_id_round_pk" PRIMARY KEY("backing_id","round"),
	CONSTRAINT "backing_weights_weight" CHECK ("backing_weights"."weight_kobo" > 0)
);
--> statement-breakpoint
CREATE TABLE "project_backings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_backings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"granted_at" timestamp (3) with time zone,
	"granted_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_backings_project_user_key" UNIQUE("project_id","user_id"),
	CONSTRAINT "project_backings_granted_by" CHECK ("project_backings"."granted_by" is null or "project_backings"."granted_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "project_favorites" (
	"project_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_favorites_pkey" PRIMARY KEY("project_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "project_media" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_media_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"type" text NOT NULL,
	"url" text NOT NULL,
	"file_id" uuid,
	"poster_file_id" uuid,
	"alt_text" text DEFAULT '' NOT NULL,
	"width" integer,
	"height" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_media_file_key" UNIQUE("file_id"),
	CONSTRAINT "project_media_poster_file_key" UNIQUE("poster_file_id"),
	CONSTRAINT "project_media_type" CHECK ("project_media"."type" in ('photo', 'video', 'youtube', 'livestream')),
	CONSTRAINT "project_media_livestream" CHECK ("project_media"."type" <> 'livestream' or "project_media"."url" like '[url]%' or "project_media"."url" like '[embed]%'),
	CONSTRAINT "project_media_size" CHECK (("project_media"."width" is null) = ("project_media"."height" is null))
);
--> statement-breakpoint
CREATE TABLE "project_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"content" text NOT NULL,
	"is_admin_reply" boolean NOT NULL,
	"idempotency_key" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_messages_idempotency_key" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "project_messages_content" CHECK (length(btrim("project_messages"."content")) between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "project_updates" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_updates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"idempotency_key" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_updates_idempotency_key" UNIQUE("project_id","idempotency_key"),
	CONSTRAINT "project_updates_not_blank" CHECK (length(btrim("project_updates"."title")) between 1 and 200 and length(btrim("project_updates"."content")) between 1 and 20000)
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"creator" text DEFAULT 'Anonymous' NOT NULL,
	"category" text,
	"short_description" text NOT NULL,
	"description" text NOT NULL,
	"image_url" text NOT NULL,
	"image_file_id" uuid,
	"image_alt" text DEFAULT '' NOT NULL,
	"video_url" text,
	"location" text DEFAULT '' NOT NULL,
	"rewards" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"funding_goal_kobo" bigint NOT NULL,
	"current_funding_kobo" bigint DEFAULT 0 NOT NULL,
	"backers_count" integer DEFAULT 0 NOT NULL,
	"duration_days" integer DEFAULT 30 NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"is_closed" boolean DEFAULT false NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"round" integer DEFAULT 1 NOT NULL,
	"idempotency_key" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_idempotency_key" UNIQUE("idempotency_key"),
	CONSTRAINT "projects_category" CHECK ("projects"."category" in ('sustainable', 'organic', 'livestock', 'tech', 'community', 'education', 'equipment')),
	CONSTRAINT "projects_title_length" CHECK (length("projects"."title") between 5 and 100),
	CONSTRAINT "projects_short_description_length" CHECK (length("projects"."short_description") between 10 and 500),
	CONSTRAINT "projects_description_length" CHECK (length("projects"."description") >= 50),
	CONSTRAINT "projects_goal" CHECK ("projects"."funding_goal_kobo" between 10000 and 100000000000),
	CONSTRAINT "projects_current_funding" CHECK ("projects"."current_funding_kobo" >= 0),
	CONSTRAINT "projects_backers_count" CHECK ("projects"."backers_count" >= 0),
	CONSTRAINT "projects_duration" CHECK ("projects"."duration_days" between 1 and 60),
	CONSTRAINT "projects_round" CHECK ("projects"."round" >= 1),
	CONSTRAINT "projects_closed_at" CHECK ("projects"."is_closed" = ("projects"."closed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	"made_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"request_id" bigint,
	"taken_back_at" timestamp (3) with time zone,
	"taken_back_by" uuid,
	"taken_back_reason" text,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_kobo" > 0),
	CONSTRAINT "refunds_reason" CHECK ("refunds"."reason" in ('not_funded', 'not_approved', 'lots_gone', 'surplus')),
	CONSTRAINT "refunds_taken_back" CHECK (num_nonnulls("refunds"."taken_back_at", "refunds"."taken_back_by", "refunds"."taken_back_reason") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "project_rounds" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"lots" integer NOT NULL,
	"minimum_lots" integer NOT NULL,
	"lot_price_kobo" bigint NOT NULL,
	"terms_version" integer NOT NULL,
	"approved_lots" integer DEFAULT 0 NOT NULL,
	"held_lots" integer DEFAULT 0 NOT NULL,
	"outcome" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_rounds_pkey" PRIMARY KEY("project_id","round"),
	CONSTRAINT "project_rounds_round" CHECK ("project_rounds"."round" >= 1),
	CONSTRAINT "project_rounds_lots" CHECK ("project_rounds"."lots" between 1 and 1000),
	CONSTRAINT "project_rounds_minimum_lots" CHECK ("project_rounds"."minimum_lots" between 1 and "project_rounds"."lots"),
	CONSTRAINT "project_rounds_lot_price" CHECK ("project_rounds"."lot_price_kobo" > 0 and ("project_rounds"."lots" = 1 or "project_rounds"."lot_price_kobo" % 100 = 0)),
	CONSTRAINT "project_rounds_not_oversold" CHECK ("project_rounds"."approved_lots" >= 0 and "project_rounds"."held_lots" >= 0 and "project_rounds"."approved_lots" + "project_rounds"."held_lots" <= "project_rounds"."lots"),
	CONSTRAINT "project_rounds_outcome" CHECK ("project_rounds"."outcome" in ('funded', 'not_funded', 'written_off')),
	CONSTRAINT "project_rounds_decided" CHECK (("project_rounds"."outcome" is null) = ("project_rounds"."decided_at" is null)),
	CONSTRAINT "project_rounds_decided_by" CHECK ("project_rounds"."decided_by" is null or "project_rounds"."outcome" is not null),
	CONSTRAINT "project_rounds_given_back" CHECK ("project_rounds"."outcome" <> 'not_funded' or "project_rounds"."approved_lots" = 0)
);
--> statement-breakpoint
CREATE TABLE "second_person_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "second_person_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb NOT NULL,
	"reason" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"is_alone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_held_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'lose_harvest', 'take_back_sale', 'lose_rest', 'lose_costs', 'match_line', 'undo_match', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'change_bank_details')),
	CONSTRAINT "second_person_requests_reason" CHECK (length("second_person_requests"."reason") between 1 and 500),
	CONSTRAINT "second_person_requests_decision" CHECK ("second_person_requests"."decision" in ('confirmed', 'declined', 'withdrawn', 'lapsed')),
	CONSTRAINT "second_person_requests_decided" CHECK (("second_person_requests"."decision" is null) = ("second_person_requests"."decided_at" is null) and ("second_person_requests"."decided_by" is null) = (coalesce("second_person_requests"."decision", 'lapsed') = 'lapsed')),
	CONSTRAINT "second_person_requests_two_people" CHECK ("second_person_requests"."decision" is distinct from 'confirmed' or ("second_person_requests"."decided_by" = "second_person_requests"."requested_by") = "second_person_requests"."is_alone"),
	CONSTRAINT "second_person_requests_alone" CHECK (not "second_person_requests"."is_alone" or "second_person_requests"."decision" = 'confirmed'),
	CONSTRAINT "second_person_requests_forgotten" CHECK ("second_person_requests"."decision" is null or not "second_person_requests"."details" ? 'accountName')
);
--> statement-breakpoint
CREATE TABLE "email_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_tokens_purpose" CHECK ("email_tokens"."purpose" in ('confirm_email', 'reset_password', 'change_email'))
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL,
	"device_hash" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_pkey" PRIMARY KEY("user_id","device_hash")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" integer NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"device" text DEFAULT '' NOT NULL,
	"ip_address" text DEFAULT '' NOT NULL,
	"last_activity_at" timestamp (3) with time zone NOT NULL,
	"proved_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_kind" CHECK ("sessions"."kind" in ('backer', 'admin'))
);
--> statement-breakpoint
CREATE TABLE "sign_in_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone,
	CONSTRAINT "sign_in_counters_failures" CHECK ("sign_in_counters"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "used_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"value" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settings_key_key" UNIQUE("key"),
	CONSTRAINT "settings_key_and_value" CHECK (length(btrim("settings"."key")) between 1 and 100 and length(btrim("settings"."value")) between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "admin_invites" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_invites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"full_name" text NOT NULL,
	"role" text DEFAULT 'manager' NOT NULL,
	"status" text DEFAULT 'invited' NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"consumed_at" timestamp (3) with time zone,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "admin_invites_token_key" UNIQUE("token_hash"),
	CONSTRAINT "admin_invites_email_normalised" CHECK ("admin_invites"."email" = lower(btrim("admin_invites"."email"))),
	CONSTRAINT "admin_invites_role" CHECK ("admin_invites"."role" in ('owner', 'manager', 'viewer')),
	CONSTRAINT "admin_invites_status" CHECK ("admin_invites"."status" in ('invited', 're-invited'))
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"message" text NOT NULL,
	"read_at" timestamp (3) with time zone,
	"idempotency_key" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_messages_idempotency_key" UNIQUE("idempotency_key"),
	CONSTRAINT "contact_messages_name" CHECK (length("contact_messages"."name") between 2 and 100),
	CONSTRAINT "contact_messages_message" CHECK (length("contact_messages"."message") between 10 and 5000)
);
--> statement-breakpoint
CREATE TABLE "job_applications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_applications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"full_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"position" text NOT NULL,
	"cover_letter" text,
	"resume_file_id" uuid,
	"status" text DEFAULT 'new' NOT NULL,
	"idempotency_key" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "job_applications_idempotency_key" UNIQUE("idempotency_key"),
	CONSTRAINT "job_applications_resume_key" UNIQUE("resume_file_id"),
	CONSTRAINT "job_applications_status" CHECK ("job_applications"."status" in ('new', 'reviewed', 'contacted', 'rejected')),
	CONSTRAINT "job_applications_full_name" CHECK (length("job_applications"."full_name") >= 2),
	CONSTRAINT "job_applications_phone" CHECK (length("job_applications"."phone") >= 10)
);
--> statement-breakpoint
CREATE TABLE "round_terms" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"version" integer NOT NULL,
	"unit" text NOT NULL,
	"planned_quantity" bigint,
	"planned_price_kobo" bigint,
	"planned_harvests" integer,
	"first_harvest_on" date,
	"farm_part_rate" integer NOT NULL,
	"deductible_costs" jsonb NOT NULL,
	"fee_rate" integer NOT NULL,
	"options" jsonb NOT NULL,
	"collection_place" text NOT NULL,
	"choice_days" integer NOT NULL,
	"collection_days" integer NOT NULL,
	"insurance" jsonb,
	"text" text NOT NULL,
	"text_sha256" text NOT NULL,
	"written_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "round_terms_pkey" PRIMARY KEY("project_id","round","version"),
	CONSTRAINT "round_terms_version" CHECK ("round_terms"."version" >= 1),
	CONSTRAINT "round_terms_farm_part" CHECK ("round_terms"."farm_part_rate" between 0 and 9000),
	CONSTRAINT "round_terms_fee" CHECK ("round_terms"."fee_rate" between 0 and 3000),
	CONSTRAINT "round_terms_choice_days" CHECK ("round_terms"."choice_days" between 3 and 60),
	CONSTRAINT "round_terms_collection_days" CHECK ("round_terms"."collection_days" between 1 and 30),
	CONSTRAINT "round_terms_planned_harvests" CHECK ("round_terms"."planned_harvests" between 1 and 60),
	CONSTRAINT "round_terms_planned_quantity" CHECK ("round_terms"."planned_quantity" > 0),
	CONSTRAINT "round_terms_planned_price" CHECK ("round_terms"."planned_price_kobo" > 0),
	CONSTRAINT "round_terms_text_sha256" CHECK ("round_terms"."text_sha256" = encode(sha256(convert_to("round_terms"."text", 'UTF8')), 'hex'))
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_pkey" PRIMARY KEY("provider","subject"),
	CONSTRAINT "identities_one_per_provider" UNIQUE("user_id","provider"),
	CONSTRAINT "identities_provider" CHECK ("identities"."provider" in ('google'))
);
--> statement-breakpoint
CREATE TABLE "owner_terms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "owner_terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	CONSTRAINT "owner_terms_until" CHECK ("owner_terms"."until" >= "owner_terms"."since")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_codes_pkey" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"encrypted_secret" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_used_step" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_roles_pkey" PRIMARY KEY("user_id","role"),
	CONSTRAINT "user_roles_role" CHECK ("user_roles"."role" in ('owner', 'manager', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"full_name" text NOT NULL,
	"password_hash" text,
	"email_verified_at" timestamp (3) with time zone,
	"is_admin" boolean DEFAULT false NOT NULL,
	"is_blocked" boolean DEFAULT false NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"contact_email" text,
	"last_activity_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_key" UNIQUE("email"),
	CONSTRAINT "users_email_normalised" CHECK ("users"."email" = lower(btrim("users"."email")) and length("users"."email") between 3 and 255),
	CONSTRAINT "users_full_name_length" CHECK (length("users"."full_name") between 1 and 200),
	CONSTRAINT "users_closed_is_no_admin" CHECK ("users"."closed_at" is null or (not "users"."is_admin" and "users"."password_hash" is null)),
	CONSTRAINT "users_contact_email" CHECK ("users"."contact_email" is null or "users"."closed_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "own_accounts" ADD CONSTRAINT "own_accounts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line_texts" ADD CONSTRAINT "statement_line_texts_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_costs" ADD CONSTRAINT "harvest_costs_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "harvest_costs" ADD CONSTRAINT "harvest_costs_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "harvest_sales" ADD CONSTRAINT "harvest_sales_taken_back_request_id_second_person_requests_id_fk" FOREIGN KEY ("taken_back_request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "holds" ADD CONSTRAINT "holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_list" ADD CONSTRAINT "waiting_list_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_reverses_id_ledger_transactions_id_fk" FOREIGN KEY ("reverses_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_line_id_statement_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_harvest_id_harvests_id_fk" FOREIGN KEY ("harvest_id") REFERENCES "public"."harvests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_sale_id_harvest_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."harvest_sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_counter_line_id_statement_lines_id_fk" FOREIGN KEY ("counter_line_id") REFERENCES "public"."statement_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_credit_match_id_line_matches_id_fk" FOREIGN KEY ("credit_match_id") REFERENCES "public"."line_matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_matches" ADD CONSTRAINT "line_matches_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_opt_outs" ADD CONSTRAINT "notification_opt_outs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_about_user_id_users_id_fk" FOREIGN KEY ("about_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_receipts" ADD CONSTRAINT "payment_receipts_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_receipts" ADD CONSTRAINT "payment_receipts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_receipts" ADD CONSTRAINT "payment_receipts_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_references" ADD CONSTRAINT "payment_references_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_references" ADD CONSTRAINT "payment_references_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_taken_back_by_users_id_fk" FOREIGN KEY ("taken_back_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_files" ADD CONSTRAINT "payout_files_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_run_lines" ADD CONSTRAINT "payout_run_lines_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_run_lines" ADD CONSTRAINT "payout_run_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_run_lines" ADD CONSTRAINT "payout_run_lines_payee_account_id_payee_accounts_id_fk" FOREIGN KEY ("payee_account_id") REFERENCES "public"."payee_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_own_account_id_own_accounts_id_fk" FOREIGN KEY ("own_account_id") REFERENCES "public"."own_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_approved_by_users_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_exported_by_users_id_fk" FOREIGN KEY ("exported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_voided_by_users_id_fk" FOREIGN KEY ("voided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_release_id_farm_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."farm_releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_replaces_id_payouts_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_paid_by_users_id_fk" FOREIGN KEY ("paid_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backing_weights" ADD CONSTRAINT "backing_weights_backing_id_project_backings_id_fk" FOREIGN KEY ("backing_id") REFERENCES "public"."project_backings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_backings" ADD CONSTRAINT "project_backings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_backings" ADD CONSTRAINT "project_backings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_backings" ADD CONSTRAINT "project_backings_granted_by_users_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_favorites" ADD CONSTRAINT "project_favorites_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_favorites" ADD CONSTRAINT "project_favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_media" ADD CONSTRAINT "project_media_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_media" ADD CONSTRAINT "project_media_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_media" ADD CONSTRAINT "project_media_poster_file_id_stored_files_id_fk" FOREIGN KEY ("poster_file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_updates" ADD CONSTRAINT "project_updates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_image_file_id_stored_files_id_fk" FOREIGN KEY ("image_file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_taken_back_by_users_id_fk" FOREIGN KEY ("taken_back_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD CONSTRAINT "project_rounds_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_invites" ADD CONSTRAINT "admin_invites_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_applications" ADD CONSTRAINT "job_applications_resume_file_id_stored_files_id_fk" FOREIGN KEY ("resume_file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_terms" ADD CONSTRAINT "round_terms_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_terms" ADD CONSTRAINT "owner_terms_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_one_open" ON "alarms" USING btree ("key") WHERE "alarms"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "audit_logs_newest" ON "audit_logs" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_logs_by_action" ON "audit_logs" USING btree ("action_type","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_logs_by_user" ON "audit_logs" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "own_accounts_one_active" ON "own_accounts" USING btree ("is_active") WHERE "own_accounts"."is_active";--> statement-breakpoint
CREATE INDEX "statement_lines_of_account" ON "statement_lines" USING btree ("own_account_id","position");--> statement-breakpoint
CREATE INDEX "statement_lines_of_day" ON "statement_lines" USING btree ("own_account_id","date");--> statement-breakpoint
CREATE INDEX "statement_lines_of_amount" ON "statement_lines" USING btree ("amount_kobo","date");--> statement-breakpoint
CREATE INDEX "statement_lines_to_explain" ON "statement_lines" USING btree ("own_account_id","position") WHERE "statement_lines"."matched_kobo" <> abs("statement_lines"."amount_kobo");--> statement-breakpoint
CREATE INDEX "statement_lines_of_reference" ON "statement_lines" USING btree ("reference") WHERE "statement_lines"."reference" is not null;--> statement-breakpoint
CREATE INDEX "statements_of_account" ON "statements" USING btree ("own_account_id","last_day");--> statement-breakpoint
CREATE INDEX "statements_by_import" ON "statements" USING btree ("own_account_id","id");--> statement-breakpoint
CREATE INDEX "stored_files_by_prefix" ON "stored_files" USING btree ("storage_key" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "stored_files_by_hash" ON "stored_files" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "stored_files_newest" ON "stored_files" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "harvest_costs_of_harvest" ON "harvest_costs" USING btree ("harvest_id");--> statement-breakpoint
CREATE UNIQUE INDEX "harvest_parts_code_key" ON "harvest_parts" USING btree ("harvest_id","code") WHERE "harvest_parts"."code" is not null;--> statement-breakpoint
CREATE INDEX "harvest_parts_of_person" ON "harvest_parts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "harvest_sales_of_harvest" ON "harvest_sales" USING btree ("harvest_id");--> statement-breakpoint
CREATE INDEX "harvests_of_state" ON "harvests" USING btree ("state");--> statement-breakpoint
CREATE INDEX "round_weights_of_person" ON "round_weights" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "settlement_costs_of_cost" ON "settlement_costs" USING btree ("cost_id");--> statement-breakpoint
CREATE INDEX "settlement_parts_of_person" ON "settlement_parts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "holds_one_per_person" ON "holds" USING btree ("project_id","round","user_id") WHERE "holds"."state" in ('live', 'claimed');--> statement-breakpoint
CREATE UNIQUE INDEX "holds_one_per_reference" ON "holds" USING btree ("reference") WHERE "holds"."state" in ('live', 'claimed');--> statement-breakpoint
CREATE INDEX "holds_of_user" ON "holds" USING btree ("user_id","state");--> statement-breakpoint
CREATE INDEX "holds_by_end" ON "holds" USING btree ("until") WHERE "holds"."state" = 'live';--> statement-breakpoint
CREATE INDEX "holds_of_round" ON "holds" USING btree ("project_id","round","id");--> statement-breakpoint
CREATE UNIQUE INDEX "waiting_list_one_per_person" ON "waiting_list" USING btree ("project_id","round","user_id") WHERE "waiting_list"."offered_at" is null and "waiting_list"."left_at" is null;--> statement-breakpoint
CREATE INDEX "waiting_list_queue" ON "waiting_list" USING btree ("project_id","round","id") WHERE "waiting_list"."offered_at" is null and "waiting_list"."left_at" is null;--> statement-breakpoint
CREATE INDEX "waiting_list_of_user" ON "waiting_list" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payment" ON "ledger_entries" USING btree ("account","payment_id") WHERE "ledger_entries"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_line" ON "ledger_entries" USING btree ("account","line_id") WHERE "ledger_entries"."line_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payout" ON "ledger_entries" USING btree ("account","payout_id") WHERE "ledger_entries"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_harvest" ON "ledger_entries" USING btree ("account","harvest_id") WHERE "ledger_entries"."harvest_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_sale" ON "ledger_entries" USING btree ("account","sale_id") WHERE "ledger_entries"."sale_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_round" ON "ledger_entries" USING btree ("account","project_id","round") WHERE "ledger_entries"."account" in ('farm_released', 'farm_due');--> statement-breakpoint
CREATE INDEX "ledger_entries_of_own_account" ON "ledger_entries" USING btree ("account","own_account_id") WHERE "ledger_entries"."account" in ('bank', 'opening');--> statement-breakpoint
CREATE INDEX "ledger_entries_of_person" ON "ledger_entries" USING btree ("account","user_id") WHERE "ledger_entries"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_transactions_of_payment" ON "ledger_transactions" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "ledger_transactions_of_project" ON "ledger_transactions" USING btree ("project_id","round");--> statement-breakpoint
CREATE INDEX "line_matches_of_line" ON "line_matches" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "line_matches_of_counter_line" ON "line_matches" USING btree ("counter_line_id") WHERE "line_matches"."counter_line_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "line_matches_payout_once" ON "line_matches" USING btree ("payout_id","kind") WHERE "line_matches"."undone_at" is null and "line_matches"."payout_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_sale" ON "line_matches" USING btree ("sale_id") WHERE "line_matches"."sale_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_harvest" ON "line_matches" USING btree ("harvest_id") WHERE "line_matches"."harvest_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_credit" ON "line_matches" USING btree ("credit_match_id") WHERE "line_matches"."credit_match_id" is not null;--> statement-breakpoint
CREATE INDEX "line_matches_of_payment" ON "line_matches" USING btree ("payment_id") WHERE "line_matches"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("user_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE not "notifications"."is_read";--> statement-breakpoint
CREATE INDEX "notifications_of_project" ON "notifications" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "notifications_about_user" ON "notifications" USING btree ("about_user_id") WHERE "notifications"."about_user_id" is not null;--> statement-breakpoint
CREATE INDEX "outgoing_mails_waiting" ON "outgoing_mails" USING btree ("id") WHERE "outgoing_mails"."sent_at" is null and "outgoing_mails"."refusal" is null;--> statement-breakpoint
CREATE INDEX "outgoing_mails_of_notification" ON "outgoing_mails" USING btree ("notification_id");--> statement-breakpoint
CREATE INDEX "outgoing_mails_of_recipient" ON "outgoing_mails" USING btree ("recipient","id");--> statement-breakpoint
CREATE INDEX "outgoing_mails_oldest" ON "outgoing_mails" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_payment" ON "papers" USING btree ("payment_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_refund" ON "papers" USING btree ("refund_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_settlement" ON "papers" USING btree ("settlement_id","user_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_run" ON "papers" USING btree ("run_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_statement_of_range" ON "papers" USING btree ("user_id","first_day","last_day") WHERE "papers"."kind" = 'statement' and "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_tax_list_of_range" ON "papers" USING btree ("first_day","last_day") WHERE "papers"."kind" = 'tax_list' and "papers"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "papers_by_readable_code" ON "papers" USING btree (translate("code", 'SBZG', '5826'));--> statement-breakpoint
CREATE INDEX "papers_of_person" ON "papers" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "payment_receipts_by_hash" ON "payment_receipts" USING btree ("sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_references_one_in_use" ON "payment_references" USING btree ("project_id","user_id") WHERE "payment_references"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "payment_references_of_user" ON "payment_references" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "project_payments_approved_in_round" ON "project_payments" USING btree ("project_id","round") WHERE "project_payments"."status" = 'approved';--> statement-breakpoint
CREATE UNIQUE INDEX "project_payments_one_pending_per_backer" ON "project_payments" USING btree ("project_id","user_id") WHERE "project_payments"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "project_payments_newest" ON "project_payments" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_payments_by_status" ON "project_payments" USING btree ("status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_payments_of_project" ON "project_payments" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_payments_of_user" ON "project_payments" USING btree ("user_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_payments_of_reference" ON "project_payments" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "project_payments_reference_trigrams" ON "project_payments" USING gin (replace("reference", '-', '') gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "project_payments_to_refund" ON "project_payments" USING btree ("refund_email") WHERE "project_payments"."refund_email" is not null;--> statement-breakpoint
CREATE INDEX "farm_releases_of_round" ON "farm_releases" USING btree ("project_id","round");--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_person" ON "payee_accounts" USING btree ("user_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_farm" ON "payee_accounts" USING btree ("project_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "payee_accounts_of_person" ON "payee_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payout_run_lines_of_payout" ON "payout_run_lines" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payout_run_lines_of_account" ON "payout_run_lines" USING btree ("payee_account_id");--> statement-breakpoint
CREATE INDEX "payout_runs_of_state" ON "payout_runs" USING btree ("state");--> statement-breakpoint
CREATE INDEX "payouts_of_person" ON "payouts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payouts_of_state" ON "payouts" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "payouts_of_refund" ON "payouts" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "payouts_of_release" ON "payouts" USING btree ("release_id");--> statement-breakpoint
CREATE INDEX "payouts_of_settlement" ON "payouts" USING btree ("settlement_id");--> statement-breakpoint
CREATE INDEX "payouts_of_run" ON "payouts" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "project_backings_of_user" ON "project_backings" USING btree ("user_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_backings_of_project" ON "project_backings" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "project_favorites_of_user" ON "project_favorites" USING btree ("user_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_media_of_project" ON "project_media" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_messages_of_project" ON "project_messages" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "project_updates_of_project" ON "project_updates" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "projects_of_image_file" ON "projects" USING btree ("image_file_id");--> statement-breakpoint
CREATE INDEX "projects_title_trigrams" ON "projects" USING gin ("title" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "projects_open_by_backers" ON "projects" USING btree ("backers_count" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE not "projects"."is_closed";--> statement-breakpoint
CREATE INDEX "projects_open_by_funding" ON "projects" USING btree ("current_funding_kobo" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE not "projects"."is_closed";--> statement-breakpoint
CREATE INDEX "projects_open_by_end" ON "projects" USING btree ("ends_at","id") WHERE not "projects"."is_closed";--> statement-breakpoint
CREATE INDEX "projects_by_backers" ON "projects" USING btree ("backers_count" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "projects_by_funding" ON "projects" USING btree ("current_funding_kobo" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "projects_by_end" ON "projects" USING btree ("ends_at","id");--> statement-breakpoint
CREATE INDEX "projects_by_title" ON "projects" USING btree (lower("title"),"id");--> statement-breakpoint
CREATE INDEX "projects_by_status" ON "projects" USING btree ("is_closed",lower("title"),"id");--> statement-breakpoint
CREATE INDEX "refunds_of_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_of_person" ON "refunds" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "second_person_requests_one_open" ON "second_person_requests" USING btree ("kind","subject") WHERE "second_person_requests"."decision" is null;--> statement-breakpoint
CREATE INDEX "second_person_requests_of_user" ON "second_person_requests" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "second_person_requests_of_subject" ON "second_person_requests" USING btree ("kind","subject");--> statement-breakpoint
CREATE INDEX "email_tokens_of_user" ON "email_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "email_tokens_expiry" ON "email_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_expiry" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_oldest_activity" ON "sessions" USING btree ("last_activity_at");--> statement-breakpoint
CREATE INDEX "sign_in_counters_expiry" ON "sign_in_counters" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "used_challenges_expiry" ON "used_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "admin_invites_one_open_per_email" ON "admin_invites" USING btree ("email") WHERE "admin_invites"."consumed_at" is null;--> statement-breakpoint
CREATE INDEX "admin_invites_newest" ON "admin_invites" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contact_messages_newest" ON "contact_messages" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "job_applications_newest" ON "job_applications" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "job_applications_by_status" ON "job_applications" USING btree ("status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "owner_terms_one_open" ON "owner_terms" USING btree ("user_id") WHERE "owner_terms"."until" is null;--> statement-breakpoint
CREATE INDEX "owner_terms_by_end" ON "owner_terms" USING btree ("until");--> statement-breakpoint
CREATE INDEX "user_roles_by_role" ON "user_roles" USING btree ("role");--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "users_admins" ON "users" USING btree ("email") WHERE "users"."is_admin";--> statement-breakpoint
CREATE INDEX "users_trigrams" ON "users" USING gin ("full_name" gin_trgm_ops,"email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower("full_name"));
--> statement-breakpoint

-- What no code path may get wrong is guarded by the database itself, here below. Rows that are only ever added:

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_logs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER round_terms_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON round_terms
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER statement_lines_not_truncated BEFORE TRUNCATE ON statement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER statement_line_texts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_line_texts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payout_run_lines_append_only BEFORE DELETE OR UPDATE ON payout_run_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payout_files_append_only BEFORE DELETE OR UPDATE ON payout_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER settlement_parts_append_only BEFORE DELETE OR UPDATE ON settlement_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER settlement_costs_append_only BEFORE DELETE OR UPDATE ON settlement_costs
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Requests.

-- Coarse request limits may be lost in a crash; they are written on every call.
ALTER TABLE rate_limits SET UNLOGGED;
--> statement-breakpoint
-- The ledger.

ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_dimensions CHECK (
  num_nonnulls(payment_id, project_id, round, user_id, own_account_id, line_id, payout_id, harvest_id, sale_id) = CASE account
    WHEN 'bank' THEN 1
    WHEN 'opening' THEN 1
    WHEN 'in_transit' THEN 1
    WHEN 'receivable' THEN 1
    WHEN 'unallocated' THEN 1
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
    WHEN 'bank' THEN own_account_id IS NOT NULL
    WHEN 'opening' THEN own_account_id IS NOT NULL
    WHEN 'in_transit' THEN num_nonnulls(payment_id, sale_id) = 1
    WHEN 'receivable' THEN num_nonnulls(payment_id, sale_id, payout_id) = 1
    WHEN 'unallocated' THEN payment_id IS NOT NULL
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
);
--> statement-breakpoint
-- Each ledger transaction has entries that sum to zero when its transaction commits.
CREATE FUNCTION check_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked bigint := CASE TG_TABLE_NAME WHEN 'ledger_transactions' THEN NEW.id ELSE (to_jsonb(NEW)->>'transaction_id')::bigint END;
  total numeric;
  entries integer;
BEGIN
  SELECT sum(amount_kobo), count(*) INTO total, entries FROM ledger_entries WHERE transaction_id = checked;
  IF entries < 2 OR total <> 0 THEN
    RAISE EXCEPTION 'ledger transaction % has % entries with the sum %', checked, entries, total
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_sums_to_zero';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transactions_balanced AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint
-- What a project's round has received, in kobo, as the ledger says.
CREATE FUNCTION ledger_funding(project integer, funding_round integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(-sum(e.amount_kobo), 0)::bigint
  FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
  WHERE t.project_id = project AND t.round = funding_round AND e.account = 'project_funding'
$$;
--> statement-breakpoint
-- A project's cached funding is the ledger's sum for its current round.
CREATE FUNCTION check_project_funding() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked integer := CASE TG_TABLE_NAME WHEN 'projects' THEN NEW.id ELSE (to_jsonb(NEW)->>'project_id')::integer END;
  project projects%ROWTYPE;
BEGIN
  SELECT * INTO project FROM projects WHERE id = checked;
  IF FOUND AND project.current_funding_kobo <> ledger_funding(project.id, project.round) THEN
    RAISE EXCEPTION 'project % shows % kobo, the ledger says %', project.id, project.current_funding_kobo,
      ledger_funding(project.id, project.round)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_funding_is_ledger_sum';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER projects_funding_is_ledger_sum AFTER INSERT OR UPDATE OF current_funding_kobo, round ON projects
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_project_funding();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_changes_project_funding AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_project_funding();
--> statement-breakpoint
-- Projects, their rounds, terms and lots.

-- A project's current round has its row. Deferred: the two are written together.
ALTER TABLE projects ADD CONSTRAINT projects_current_round_fk
  FOREIGN KEY (id, round) REFERENCES project_rounds (project_id, round) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
-- Rounds and payments name terms that are there. Deferred: a round and its first terms are written together.
ALTER TABLE project_rounds ADD CONSTRAINT project_rounds_terms_fk
  FOREIGN KEY (project_id, round, terms_version) REFERENCES round_terms (project_id, round, version) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
-- All lots of a project's current round together are its goal.
CREATE FUNCTION check_goal(checked_project integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM projects p JOIN project_rounds r ON r.project_id = p.id AND r.round = p.round
      WHERE p.id = checked_project AND r.lots * r.lot_price_kobo <> p.funding_goal_kobo
  ) THEN
    RAISE EXCEPTION 'the lots of project % are not its goal', checked_project
      USING ERRCODE = 'check_violation', CONSTRAINT = 'goal_is_all_lots';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_goal_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_goal(NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_goal_of_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_goal(NEW.project_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER projects_goal_is_all_lots AFTER INSERT OR UPDATE OF funding_goal_kobo, round ON projects
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_goal_of_project();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_rounds_are_the_goal AFTER INSERT OR UPDATE OF lots, lot_price_kobo ON project_rounds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_goal_of_round();
--> statement-breakpoint
-- A round's cached number of approved lots is that of its approved payments, as long as its project exists.
CREATE FUNCTION check_round_lots(checked_project integer, checked_round integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cached integer;
  approved bigint;
BEGIN
  SELECT r.approved_lots INTO cached FROM project_rounds r
    WHERE r.project_id = checked_project AND r.round = checked_round
      AND EXISTS (SELECT FROM projects p WHERE p.id = checked_project);
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(sum(lots), 0) INTO approved FROM project_payments
    WHERE project_id = checked_project AND round = checked_round AND status = 'approved';
  IF cached <> approved THEN
    RAISE EXCEPTION 'round % of project % shows % approved lots, its payments have %', checked_round, checked_project,
      cached, approved
      USING ERRCODE = 'check_violation', CONSTRAINT = 'round_lots_are_approved_lots';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_round_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_round_lots(OLD.project_id, OLD.round); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM check_round_lots(NEW.project_id, NEW.round); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_rounds_count_lots AFTER INSERT OR UPDATE OF approved_lots ON project_rounds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_of_row();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_payments_count_lots
  AFTER INSERT OR DELETE OR UPDATE OF status, lots, round, project_id ON project_payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_of_row();
--> statement-breakpoint
-- What was sold stays as it was sold, the terms too.
CREATE FUNCTION refuse_change_of_sold_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.approved_lots > 0 OR OLD.outcome IS NOT NULL) AND (OLD.lots, OLD.minimum_lots, OLD.lot_price_kobo, OLD.terms_version)
      <> (NEW.lots, NEW.minimum_lots, NEW.lot_price_kobo, NEW.terms_version) THEN
    RAISE EXCEPTION 'round % of project % is sold or decided: lots, minimum, price and terms refused', OLD.round, OLD.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sold_round_is_frozen';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER project_rounds_frozen BEFORE UPDATE OF lots, minimum_lots, lot_price_kobo, terms_version ON project_rounds
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_sold_round();
--> statement-breakpoint
-- A round's cached number of held lots is that of its holds that stand.
CREATE FUNCTION check_held_lots(checked_project integer, checked_round integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cached integer;
  held bigint;
BEGIN
  SELECT held_lots INTO cached FROM project_rounds WHERE project_id = checked_project AND round = checked_round;
  SELECT coalesce(sum(lots), 0) INTO held FROM holds
    WHERE project_id = checked_project AND round = checked_round AND state IN ('live', 'claimed');
  IF cached IS DISTINCT FROM held THEN
    RAISE EXCEPTION 'round % of project % shows % held lots, its holds have %', checked_round, checked_project, cached, held
      USING ERRCODE = 'check_violation', CONSTRAINT = 'round_lots_are_held_lots';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_held_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_held_lots(OLD.project_id, OLD.round); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM check_held_lots(NEW.project_id, NEW.round); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_rounds_count_held AFTER INSERT OR UPDATE OF held_lots ON project_rounds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_held_of_row();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER holds_count_held AFTER INSERT OR DELETE OR UPDATE OF state, lots, round, project_id ON holds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_held_of_row();
--> statement-breakpoint
-- Payments and backings.

-- A payment's current receipt is one of its own receipts. Deferred: the two rows are written together.
ALTER TABLE project_payments ADD CONSTRAINT project_payments_current_receipt_fk
  FOREIGN KEY (id, current_receipt_id) REFERENCES payment_receipts (payment_id, id) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
ALTER TABLE payment_references ADD CONSTRAINT payment_references_terms_fk
  FOREIGN KEY (project_id, round, terms_version) REFERENCES round_terms (project_id, round, version);
--> statement-breakpoint
ALTER TABLE project_payments ADD CONSTRAINT project_payments_terms_fk
  FOREIGN KEY (project_id, round, terms_version) REFERENCES round_terms (project_id, round, version) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
-- A backing stands if and only if a grant or an approved payment supports it.
CREATE FUNCTION check_backing(checked_project integer, checked_user uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has_backing boolean;
  is_granted boolean;
  has_payment boolean;
BEGIN
  SELECT true, granted_at IS NOT NULL INTO has_backing, is_granted
    FROM project_backings WHERE project_id = checked_project AND user_id = checked_user;
  SELECT EXISTS (
    SELECT FROM project_payments WHERE project_id = checked_project AND user_id = checked_user AND status = 'approved'
  ) INTO has_payment;
  IF has_payment AND has_backing IS NOT TRUE THEN
    RAISE EXCEPTION 'an approved payment of project % and user % has no backing', checked_project, checked_user
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approved_payment_has_backing';
  END IF;
  IF has_backing AND NOT is_granted AND NOT has_payment THEN
    RAISE EXCEPTION 'nothing supports the backing of project % by user %', checked_project, checked_user
      USING ERRCODE = 'check_violation', CONSTRAINT = 'backing_is_supported';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_backing_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_backing(OLD.project_id, OLD.user_id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM check_backing(NEW.project_id, NEW.user_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_backings_supported AFTER INSERT OR UPDATE OR DELETE ON project_backings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_backing_of_row();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_payments_support_backing
  AFTER INSERT OR DELETE OR UPDATE OF status, project_id, user_id ON project_payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_backing_of_row();
--> statement-breakpoint
-- Only a backing that an administrator granted has a weight; that of a payment is its lots.
CREATE FUNCTION refuse_weight_without_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM project_backings WHERE id = NEW.backing_id AND granted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'backing % was not granted: weight refused', NEW.backing_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER backing_weights_granted BEFORE INSERT OR UPDATE ON backing_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_weight_without_grant();
--> statement-breakpoint
-- Parts that nobody paid for never count more than the round's lots are worth together. Who writes one has locked the project.
CREATE FUNCTION refuse_weight_beyond_worth() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE worth bigint; given bigint;
BEGIN
  SELECT r.lots * r.lot_price_kobo INTO worth FROM project_rounds r JOIN project_backings b ON b.project_id = r.project_id
    WHERE b.id = NEW.backing_id AND r.round = NEW.round;
  SELECT sum(w.weight_kobo) INTO given FROM backing_weights w JOIN project_backings b ON b.id = w.backing_id
    WHERE w.round = NEW.round AND b.project_id = (SELECT project_id FROM project_backings WHERE id = NEW.backing_id);
  IF given > coalesce(worth, 0) THEN
    RAISE EXCEPTION 'weights of backing % in round % are beyond what the lots are worth', NEW.backing_id, NEW.round
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER backing_weights_within_worth AFTER INSERT OR UPDATE ON backing_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_weight_beyond_worth();
--> statement-breakpoint
-- Lines of the bank's statements and their matches.

-- What a bank told stays as it told it; a fuller text takes the place of one that is kept beside it.
CREATE FUNCTION refuse_change_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND
    (OLD.id, OLD.own_account_id, OLD.statement_id, OLD."row", OLD.date, OLD.value_date, OLD.amount_kobo, OLD.balance_kobo,
      OLD.customer_reference, OLD.is_reversal)
    IS NOT DISTINCT FROM
    (NEW.id, NEW.own_account_id, NEW.statement_id, NEW."row", NEW.date, NEW.value_date, NEW.amount_kobo, NEW.balance_kobo,
      NEW.customer_reference, NEW.is_reversal)
    AND EXISTS (SELECT FROM statement_line_texts told WHERE told.line_id = OLD.id AND told.fingerprint = OLD.fingerprint
      AND told.narration = OLD.narration AND told.bank_reference IS NOT DISTINCT FROM OLD.bank_reference)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'line % of a statement is what the bank told: change refused', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER statement_lines_stay BEFORE DELETE OR UPDATE OF id, own_account_id, statement_id, "row", date, value_date,
  amount_kobo, balance_kobo, narration, bank_reference, customer_reference, counterparty, session_id, is_reversal, reference,
  fingerprint, repetition ON statement_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_line();
--> statement-breakpoint
-- A match is undone once; nothing else of it changes. That a payout came back is never undone.
CREATE FUNCTION refuse_change_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.undone_at IS NOT NULL OR OLD.kind = 'returned' OR
    to_jsonb(OLD) - ARRAY['undone_at', 'undone_by', 'undone_reason']
    IS DISTINCT FROM to_jsonb(NEW) - ARRAY['undone_at', 'undone_by', 'undone_reason']
  THEN
    RAISE EXCEPTION 'match % of a line: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_matches_stay BEFORE DELETE OR UPDATE ON line_matches
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_match();
--> statement-breakpoint
-- A line's cached sum is that of its standing matches.
CREATE FUNCTION check_line_matches(checked bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cached bigint;
  matched bigint;
BEGIN
  SELECT matched_kobo INTO cached FROM statement_lines WHERE id = checked;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(sum(amount_kobo), 0) INTO matched FROM line_matches
    WHERE (line_id = checked OR counter_line_id = checked) AND undone_at IS NULL;
  IF cached <> matched THEN
    RAISE EXCEPTION 'line % shows % kobo matched, its matches have %', checked, cached, matched
      USING ERRCODE = 'check_violation', CONSTRAINT = 'line_matched_is_its_matches';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_matches_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_line_matches(NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_lines_of_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_line_matches(NEW.line_id);
  IF NEW.counter_line_id IS NOT NULL THEN PERFORM check_line_matches(NEW.counter_line_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER statement_lines_count_matches AFTER UPDATE OF matched_kobo ON statement_lines
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_matches_of_line();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER line_matches_counted AFTER INSERT OR UPDATE OF undone_at ON line_matches
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_lines_of_match();
--> statement-breakpoint
-- Payouts, their accounts and runs.

-- What a payout is for never changes, and its state only goes on.
CREATE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.kind, OLD.user_id, OLD.refund_id, OLD.release_id, OLD.settlement_id, OLD.payment_id, OLD.project_id,
      OLD.project_title, OLD.round, OLD.amount_kobo, OLD.part, OLD.parts, OLD.reference, OLD.replaces_id, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.kind, NEW.user_id, NEW.refund_id, NEW.release_id, NEW.settlement_id, NEW.payment_id, NEW.project_id,
      NEW.project_title, NEW.round, NEW.amount_kobo, NEW.part, NEW.parts, NEW.reference, NEW.replaces_id, NEW.created_at)
    OR (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'due'), ('waiting', 'cancelled'), ('due', 'due'),
      ('due', 'waiting'), ('due', 'in_run'), ('due', 'cancelled'), ('in_run', 'in_run'), ('in_run', 'due'), ('in_run', 'sent'),
      ('sent', 'sent'), ('sent', 'paid'), ('sent', 'failed'), ('paid', 'paid'), ('paid', 'sent'), ('paid', 'failed'))
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payouts_stay BEFORE DELETE OR UPDATE ON payouts
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_payout();
--> statement-breakpoint
-- What a refund, a release or a settlement owes is what its payouts pay.
CREATE FUNCTION check_payouts_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER refunds_have_payouts AFTER INSERT OR UPDATE OF amount_kobo, taken_back_at ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER farm_releases_have_payouts AFTER INSERT OR UPDATE OF amount_kobo, taken_back_at ON farm_releases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER settlements_have_payouts AFTER INSERT OR UPDATE ON settlements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER payouts_are_owed AFTER INSERT OR UPDATE OF state ON payouts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_payouts_of_refund();
--> statement-breakpoint
-- A run is for the same payouts from its draft to its end.
CREATE FUNCTION refuse_change_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR
    (OLD.id, OLD.own_account_id, OLD.payouts, OLD.total_kobo, OLD.lines_sha256, OLD.made_by, OLD.created_at)
    IS DISTINCT FROM
    (NEW.id, NEW.own_account_id, NEW.payouts, NEW.total_kobo, NEW.lines_sha256, NEW.made_by, NEW.created_at)
    OR (OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approved_at, OLD.alone_reason)
      IS DISTINCT FROM (NEW.approved_by, NEW.approved_at, NEW.alone_reason))
    OR (OLD.exported_by IS NOT NULL AND (OLD.exported_by, OLD.exported_at) IS DISTINCT FROM (NEW.exported_by, NEW.exported_at))
    OR (OLD.state, NEW.state) NOT IN (('draft', 'approved'), ('draft', 'void'), ('approved', 'exported'), ('approved', 'void'),
      ('exported', 'closed'), ('closed', 'exported'))
  THEN
    RAISE EXCEPTION 'run % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payout_runs_stay BEFORE DELETE OR UPDATE ON payout_runs
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_run();
--> statement-breakpoint
-- An account that money may have gone to stays as it was; only that it isn't used any more is written.
CREATE FUNCTION refuse_change_of_payee_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.replaced_at IS NOT NULL OR to_jsonb(OLD) - 'replaced_at' IS DISTINCT FROM to_jsonb(NEW) - 'replaced_at' THEN
    RAISE EXCEPTION 'payee account % : change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payee_accounts_stay BEFORE UPDATE ON payee_accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_payee_account();
--> statement-breakpoint
-- Harvests and settlements.

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
END $$;
--> statement-breakpoint
CREATE TRIGGER harvests_stay BEFORE DELETE OR UPDATE ON harvests
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_harvest();
--> statement-breakpoint
-- Why the rest of a harvest is lost is said once, with its end.
CREATE FUNCTION refuse_change_of_lost_rest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'done' AND (OLD.rest_lost_at, OLD.rest_lost_reason) IS DISTINCT FROM (NEW.rest_lost_at, NEW.rest_lost_reason) THEN
    RAISE EXCEPTION 'rest of harvest %: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER harvests_rest_stays BEFORE UPDATE ON harvests
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_lost_rest();
--> statement-breakpoint
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
END $$;
--> statement-breakpoint
CREATE TRIGGER harvest_parts_stay BEFORE UPDATE ON harvest_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_harvest_part();
--> statement-breakpoint
-- What backings count stays while a harvest keeps it: one of the round opened, was lost, or an insurer's sum was settled.
CREATE FUNCTION refuse_change_of_round_weight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR EXISTS (
    SELECT FROM harvests h WHERE h.project_id = OLD.project_id AND h.round = OLD.round AND (
      (h.state <> 'withdrawn' AND (h.opened_at IS NOT NULL OR h.state IN ('lost', 'settled', 'done')))
      OR EXISTS (SELECT FROM settlements s WHERE s.harvest_id = h.id)))
  THEN
    RAISE EXCEPTION 'what backing % counts in round % of project %: change refused', OLD.backing_id, OLD.round, OLD.project_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER round_weights_stay BEFORE DELETE OR UPDATE ON round_weights
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_round_weight();
--> statement-breakpoint
-- What the farm paid is taken from sales once two owners have counted it: no line of a statement ever shows it.
CREATE FUNCTION refuse_uncounted_cost() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM harvest_costs c WHERE c.id = NEW.cost_id AND c.paid_by = 'farm' AND c.request_id IS NULL) THEN
    RAISE EXCEPTION 'cost % was not counted by two owners', NEW.cost_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER settlement_costs_counted BEFORE INSERT ON settlement_costs
  FOR EACH ROW EXECUTE FUNCTION refuse_uncounted_cost();
--> statement-breakpoint
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
END $$;
--> statement-breakpoint
CREATE TRIGGER settlements_stay BEFORE DELETE OR UPDATE ON settlements
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_settlement();
--> statement-breakpoint
-- Papers.

-- A paper's words and number never change. Its file is made once, and it is replaced once.
CREATE FUNCTION refuse_change_of_paper() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE'
    OR to_jsonb(NEW) - '{file_id,replaced_at}'::text[] IS DISTINCT FROM to_jsonb(OLD) - '{file_id,replaced_at}'::text[]
    OR (OLD.file_id IS NOT NULL AND NEW.file_id IS DISTINCT FROM OLD.file_id)
    OR (OLD.replaced_at IS NOT NULL AND NEW.replaced_at IS DISTINCT FROM OLD.replaced_at) THEN
    RAISE EXCEPTION 'a paper does not change: % of % refused', TG_OP, OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER papers_stay BEFORE DELETE OR UPDATE ON papers
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_paper();
--> statement-breakpoint
-- The last number of a kind and year only goes up. That none is missing is for the self-check.
CREATE FUNCTION refuse_lower_paper_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (NEW.kind, NEW.year) IS DISTINCT FROM (OLD.kind, OLD.year))
    OR (TG_OP = 'UPDATE' AND NEW.last < OLD.last) THEN
    RAISE EXCEPTION 'paper numbers only go up: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER paper_counters_go_up BEFORE DELETE OR UPDATE ON paper_counters
  FOR EACH ROW EXECUTE FUNCTION refuse_lower_paper_number();
--> statement-breakpoint
-- What changes is told to processes and screens.

-- Processes keep what everybody sees (lists, pages) in memory. Whoever changes it, by whatever way, all of them hear it.
CREATE FUNCTION tell_public_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gona_events', '{"type":"public"}');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER projects_tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON projects
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
--> statement-breakpoint
CREATE TRIGGER settings_tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON settings
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
--> statement-breakpoint
-- What changes of a harvest is told to the screens that show it, whoever changed it: a person, a job, a line of the bank. An
-- event goes to everybody with a part in the project's harvests, to administrators, or also to the one backer it is about.
CREATE FUNCTION tell_harvest_change(harvest bigint, receiver text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('gona_events', json_build_object('type', 'harvests', 'projectId', h.project_id, 'to', receiver)::text)
  FROM harvests h WHERE h.id = harvest
$$;
--> statement-breakpoint
CREATE FUNCTION tell_harvests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(c.id, TG_ARGV[0]) FROM (SELECT DISTINCT id FROM changed) c;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER harvests_tell_insert AFTER INSERT ON harvests REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvests_tell_update AFTER UPDATE ON harvests REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_harvests('everybody');
--> statement-breakpoint
-- A choice, a collection: one backer's own. Of many at once everybody is told. What an allotment fixes comes with its harvest.
CREATE FUNCTION tell_harvest_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(c.harvest_id, CASE WHEN c.people = 1 THEN c.person ELSE 'everybody' END)
  FROM (
    SELECT n.harvest_id, count(*) AS people, min(n.user_id::text) AS person
    FROM changed n JOIN before o ON o.harvest_id = n.harvest_id AND o.backing_id = n.backing_id
    WHERE (n.chosen_at, n.collected_at, n.uncollected_at) IS DISTINCT FROM (o.chosen_at, o.collected_at, o.uncollected_at)
    GROUP BY n.harvest_id
  ) c;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER harvest_parts_tell_update AFTER UPDATE ON harvest_parts REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_harvest_parts();
--> statement-breakpoint
CREATE FUNCTION tell_of_harvests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(c.harvest_id, TG_ARGV[0]) FROM (SELECT DISTINCT harvest_id FROM changed) c;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER harvest_files_tell_insert AFTER INSERT ON harvest_files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('everybody');
--> statement-breakpoint
CREATE TRIGGER harvest_costs_tell_insert AFTER INSERT ON harvest_costs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvest_costs_tell_update AFTER UPDATE ON harvest_costs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvest_sales_tell_insert AFTER INSERT ON harvest_sales REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER harvest_sales_tell_update AFTER UPDATE ON harvest_sales REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('administrators');
--> statement-breakpoint
CREATE TRIGGER settlements_tell_insert AFTER INSERT ON settlements REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('everybody');
--> statement-breakpoint
CREATE TRIGGER settlements_tell_update AFTER UPDATE ON settlements REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_harvests('everybody');
--> statement-breakpoint
CREATE FUNCTION tell_sale_matches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_harvest_change(s.harvest_id, 'administrators')
  FROM changed c JOIN harvest_sales s ON s.id = c.sale_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER line_matches_tell_insert AFTER INSERT ON line_matches REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_sale_matches();
--> statement-breakpoint
CREATE TRIGGER line_matches_tell_update AFTER UPDATE ON line_matches REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_sale_matches();
