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
ALTER TABLE "stored_files" DROP CONSTRAINT "stored_files_kind";--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_run_id_payout_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."payout_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_payment" ON "papers" USING btree ("payment_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_refund" ON "papers" USING btree ("refund_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_settlement" ON "papers" USING btree ("settlement_id","user_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_of_run" ON "papers" USING btree ("run_id") WHERE "papers"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "papers_of_person" ON "papers" USING btree ("user_id","id");--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_kind" CHECK ("stored_files"."kind" in ('receipt', 'resume', 'photo', 'video', 'poster', 'evidence', 'paper'));--> statement-breakpoint
-- Written by hand below. A paper's words and number never change. Its file is made once, and it is replaced once.
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
$$;--> statement-breakpoint
CREATE TRIGGER papers_stay BEFORE DELETE OR UPDATE ON papers
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_paper();--> statement-breakpoint
-- The last number of a kind and year only goes up. That none is missing is for the self-check.
CREATE FUNCTION refuse_lower_paper_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (NEW.kind, NEW.year) IS DISTINCT FROM (OLD.kind, OLD.year))
    OR (TG_OP = 'UPDATE' AND NEW.last < OLD.last) THEN
    RAISE EXCEPTION 'paper numbers only go up: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER paper_counters_go_up BEFORE DELETE OR UPDATE ON paper_counters
  FOR EACH ROW EXECUTE FUNCTION refuse_lower_paper_number();
