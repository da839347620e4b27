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
ALTER TABLE "project_payments" ADD COLUMN "review_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "holidays" ADD CONSTRAINT "holidays_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holidays" ADD CONSTRAINT "holidays_removed_by_users_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_grants" ADD CONSTRAINT "user_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_grants" ADD CONSTRAINT "user_grants_given_by_users_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "holidays_day_key" ON "holidays" USING btree ("day") WHERE "holidays"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "project_payments_to_review" ON "project_payments" USING btree ("review_by") WHERE "project_payments"."status" = 'pending';