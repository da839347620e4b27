-- A check can't sum an array by itself.
CREATE FUNCTION sum_of(quantities bigint[]) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT sum(quantity) FROM unnest(quantities) quantity
$$;
--> statement-breakpoint
CREATE TABLE "farm_past" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_past_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"farm_id" integer NOT NULL,
	"from_year" integer NOT NULL,
	"to_year" integer NOT NULL,
	"farmed" text NOT NULL,
	"outcome" text NOT NULL,
	"unit" text,
	"planned" bigint,
	"harvested" bigint,
	"paid_by" text NOT NULL,
	"evidence" text NOT NULL,
	"entered_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "farm_past_years" CHECK (1900 <= "farm_past"."from_year" and "farm_past"."from_year" <= "farm_past"."to_year" and "farm_past"."to_year" <= 2100),
	CONSTRAINT "farm_past_farmed" CHECK (length("farm_past"."farmed") between 1 and 80),
	CONSTRAINT "farm_past_outcome" CHECK (length("farm_past"."outcome") between 1 and 600),
	CONSTRAINT "farm_past_unit" CHECK ("farm_past"."unit" in ('share', 'kg', 'piece', 'crate', 'bag', 'litre', 'bird')),
	CONSTRAINT "farm_past_figures" CHECK (("farm_past"."unit" is null) = (num_nonnulls("farm_past"."planned", "farm_past"."harvested") = 0)),
	CONSTRAINT "farm_past_quantities" CHECK ("farm_past"."planned" > 0 and "farm_past"."harvested" >= 0),
	CONSTRAINT "farm_past_paid_by" CHECK (length("farm_past"."paid_by") between 1 and 120),
	CONSTRAINT "farm_past_evidence" CHECK (length("farm_past"."evidence") between 1 and 200),
	CONSTRAINT "farm_past_state" CHECK ("farm_past"."state" in ('waiting', 'confirmed', 'refused', 'taken_down')),
	CONSTRAINT "farm_past_decided" CHECK (num_nonnulls("farm_past"."decided_by", "farm_past"."decided_at") = case "farm_past"."state" when 'waiting' then 0 else 2 end),
	CONSTRAINT "farm_past_reason" CHECK ("farm_past"."reason" is not null or "farm_past"."state" in ('waiting', 'confirmed')),
	CONSTRAINT "farm_past_two_people" CHECK ("farm_past"."state" <> 'confirmed' or "farm_past"."decided_by" <> "farm_past"."entered_by" or "farm_past"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "farm_past_files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_past_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"past_id" bigint NOT NULL,
	"file_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "farm_past_files_file_key" UNIQUE("file_id")
);
--> statement-breakpoint
CREATE TABLE "saved_searches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_searches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"told_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_searches_same" UNIQUE("user_id","filters"),
	CONSTRAINT "saved_searches_name" CHECK (length("saved_searches"."name") between 1 and 80),
	CONSTRAINT "saved_searches_filters" CHECK (jsonb_typeof("saved_searches"."filters") = 'object')
);
--> statement-breakpoint
ALTER TABLE "round_terms" ADD COLUMN "harvest_plan" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "farm_past" ADD CONSTRAINT "farm_past_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_past" ADD CONSTRAINT "farm_past_entered_by_users_id_fk" FOREIGN KEY ("entered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_past" ADD CONSTRAINT "farm_past_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_past_files" ADD CONSTRAINT "farm_past_files_past_id_farm_past_id_fk" FOREIGN KEY ("past_id") REFERENCES "public"."farm_past"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_past_files" ADD CONSTRAINT "farm_past_files_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_searches" ADD CONSTRAINT "saved_searches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "farm_past_of_farm" ON "farm_past" USING btree ("farm_id");--> statement-breakpoint
CREATE INDEX "farm_past_waiting" ON "farm_past" USING btree ("created_at") WHERE "farm_past"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "farm_past_files_of_past" ON "farm_past_files" USING btree ("past_id");--> statement-breakpoint
ALTER TABLE "round_terms" ADD CONSTRAINT "round_terms_harvest_plan" CHECK (("round_terms"."harvest_plan" = '{}' or (cardinality("round_terms"."harvest_plan") = "round_terms"."planned_harvests" and 0 < all("round_terms"."harvest_plan")
        and sum_of("round_terms"."harvest_plan") = "round_terms"."planned_quantity")) is true);