CREATE TABLE "holidays" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "holidays_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"name" text NOT NULL,
	"added_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_by" uuid,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "holidays_name" CHECK (length(btrim("holidays"."name")) between 2 and 100),
	CONSTRAINT "holidays_removed" CHECK (("holidays"."removed_at" is null) = ("holidays"."removed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "release_asks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "release_asks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"part" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"asked_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"verdict" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"refusal" text,
	"request_id" bigint,
	CONSTRAINT "release_asks_part" CHECK ("release_asks"."part" between 1 and 6),
	CONSTRAINT "release_asks_note" CHECK (length("release_asks"."note") <= 1000),
	CONSTRAINT "release_asks_verdict" CHECK ("release_asks"."verdict" in ('checked', 'refused')),
	CONSTRAINT "release_asks_decided" CHECK (num_nonnulls("release_asks"."verdict", "release_asks"."decided_by", "release_asks"."decided_at") in (0, 3)),
	CONSTRAINT "release_asks_refusal" CHECK (("release_asks"."verdict" is not distinct from 'refused') = ("release_asks"."refusal" is not null)),
	CONSTRAINT "release_asks_two_people" CHECK ("release_asks"."verdict" is distinct from 'checked' or "release_asks"."decided_by" <> "release_asks"."asked_by" or "release_asks"."request_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "release_proofs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "release_proofs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ask_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"url" text,
	"width" integer,
	"height" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "release_proofs_file_key" UNIQUE("file_id"),
	CONSTRAINT "release_proofs_position_key" UNIQUE("ask_id","position"),
	CONSTRAINT "release_proofs_position" CHECK ("release_proofs"."position" between 1 and 8),
	CONSTRAINT "release_proofs_photo" CHECK (num_nonnulls("release_proofs"."url", "release_proofs"."width", "release_proofs"."height") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "release_skips" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "release_skips_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"part" integer NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"skipped_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	"taken_back_request_id" bigint,
	CONSTRAINT "release_skips_part" CHECK ("release_skips"."part" between 1 and 6),
	CONSTRAINT "release_skips_taken_back" CHECK (num_nonnulls("release_skips"."taken_back_at", "release_skips"."taken_back_request_id") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "user_grants" (
	"user_id" uuid NOT NULL,
	"grant_name" text NOT NULL,
	"given_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_grants_pkey" PRIMARY KEY("user_id","grant_name"),
	CONSTRAINT "user_grants_grant" CHECK ("user_grants"."grant_name" in ('accountant', 'cashier')),
	CONSTRAINT "user_grants_not_to_oneself" CHECK ("user_grants"."given_by" <> "user_grants"."user_id")
);
--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "project_payments" ADD COLUMN "review_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD COLUMN "part" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD COLUMN "ask_id" bigint;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD COLUMN "request_id" bigint;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD COLUMN "public_reason" text;--> statement-breakpoint
ALTER TABLE "round_terms" ADD COLUMN "release_parts" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "holidays" ADD CONSTRAINT "holidays_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holidays" ADD CONSTRAINT "holidays_removed_by_users_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_asks" ADD CONSTRAINT "release_asks_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_asks" ADD CONSTRAINT "release_asks_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_asks" ADD CONSTRAINT "release_asks_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_proofs" ADD CONSTRAINT "release_proofs_ask_id_release_asks_id_fk" FOREIGN KEY ("ask_id") REFERENCES "public"."release_asks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_proofs" ADD CONSTRAINT "release_proofs_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_skips" ADD CONSTRAINT "release_skips_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_skips" ADD CONSTRAINT "release_skips_skipped_by_users_id_fk" FOREIGN KEY ("skipped_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_skips" ADD CONSTRAINT "release_skips_taken_back_request_id_second_person_requests_id_fk" FOREIGN KEY ("taken_back_request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_grants" ADD CONSTRAINT "user_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_grants" ADD CONSTRAINT "user_grants_given_by_users_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "holidays_day_key" ON "holidays" USING btree ("day") WHERE "holidays"."removed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "release_asks_one_standing" ON "release_asks" USING btree ("project_id","round","part") WHERE "release_asks"."verdict" is distinct from 'refused';--> statement-breakpoint
CREATE INDEX "release_asks_of_round" ON "release_asks" USING btree ("project_id","round","part");--> statement-breakpoint
CREATE INDEX "release_asks_undecided" ON "release_asks" USING btree ("created_at") WHERE "release_asks"."verdict" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "release_skips_one_standing" ON "release_skips" USING btree ("project_id","round","part") WHERE "release_skips"."taken_back_at" is null;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_ask_id_release_asks_id_fk" FOREIGN KEY ("ask_id") REFERENCES "public"."release_asks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_payments_to_review" ON "project_payments" USING btree ("review_by") WHERE "project_payments"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "farm_releases_of_ask" ON "farm_releases" USING btree ("ask_id");--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_part" CHECK ("farm_releases"."part" between 1 and 6);--> statement-breakpoint
ALTER TABLE "farm_releases" ADD CONSTRAINT "farm_releases_public_reason" CHECK ("farm_releases"."public_reason" is null or "farm_releases"."request_id" is not null);--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'void_bank_data', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'change_sale', 'lose_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'skip_part', 'return_to_backers', 'take_return_back', 'strike_payment', 'change_holder', 'open_harvest', 'change_bank_details', 'refuse_payouts', 'let_payout_go'));--> statement-breakpoint
ALTER TABLE "round_terms" ADD CONSTRAINT "round_terms_release_parts" CHECK (jsonb_array_length("round_terms"."release_parts") <= 6);--> statement-breakpoint
-- The site's reader keeps in memory within how many working days receipts are reviewed.
CREATE TRIGGER settings_tell_review_days AFTER INSERT OR UPDATE ON settings
  FOR EACH ROW WHEN (NEW.key = 'reviewdays') EXECUTE FUNCTION tell_site_change();
