CREATE TABLE "ledger_closings" (
	"month" date PRIMARY KEY NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"last_entry_id" bigint NOT NULL,
	"entries" integer NOT NULL,
	"hash" text NOT NULL,
	"balances" jsonb NOT NULL,
	"closed_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_closings_month" CHECK (extract(day from "ledger_closings"."month") = 1),
	CONSTRAINT "ledger_closings_over" CHECK ("ledger_closings"."created_at" > "ledger_closings"."ends_at"),
	CONSTRAINT "ledger_closings_hash" CHECK ("ledger_closings"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "ledger_heads" (
	"n" integer PRIMARY KEY NOT NULL,
	"last_entry_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_heads_entry_key" UNIQUE("last_entry_id"),
	CONSTRAINT "ledger_heads_n" CHECK ("ledger_heads"."n" > 0),
	CONSTRAINT "ledger_heads_hash" CHECK ("ledger_heads"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "paper_counters" DROP CONSTRAINT "paper_counters_kind";--> statement-breakpoint
ALTER TABLE "papers" DROP CONSTRAINT "papers_kind";--> statement-breakpoint
DROP INDEX "ledger_entries_of_round";--> statement-breakpoint
ALTER TABLE "papers" ADD COLUMN "head_n" integer;--> statement-breakpoint
ALTER TABLE "papers" ADD COLUMN "head_hash" text;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "is_private" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "recipient_id" uuid;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "answers_id" bigint;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "no_answer_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "project_messages" ADD COLUMN "no_answer_by" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "search_text" text GENERATED ALWAYS AS (title || E'\n' || case when farm_id is null then '' else creator end || E'\n' || location) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_closings" ADD CONSTRAINT "ledger_closings_last_entry_id_ledger_entries_id_fk" FOREIGN KEY ("last_entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_closings" ADD CONSTRAINT "ledger_closings_closed_by_users_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_heads" ADD CONSTRAINT "ledger_heads_last_entry_id_ledger_entries_id_fk" FOREIGN KEY ("last_entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_recipient_id_users_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_no_answer_by_users_id_fk" FOREIGN KEY ("no_answer_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_account" ON "ledger_entries" USING btree ("account","id");--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_time" ON "ledger_transactions" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_closing_of_month" ON "papers" USING btree ("first_day") WHERE "papers"."kind" = 'closing';--> statement-breakpoint
CREATE INDEX "project_messages_to_answer" ON "project_messages" USING btree ("created_at") WHERE not "project_messages"."is_admin_reply" and "project_messages"."no_answer_at" is null;--> statement-breakpoint
CREATE INDEX "projects_search_trigrams" ON "projects" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "ledger_entries_of_round" ON "ledger_entries" USING btree ("account","project_id","round") WHERE "ledger_entries"."account" in ('farm_released', 'farm_due', 'project_funding');--> statement-breakpoint
ALTER TABLE "paper_counters" ADD CONSTRAINT "paper_counters_kind" CHECK ("paper_counters"."kind" in ('receipt', 'refund_note', 'settlement', 'statement', 'run_sheet', 'tax_list', 'closing'));--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_head" CHECK (("papers"."head_n" is null) = ("papers"."head_hash" is null));--> statement-breakpoint
ALTER TABLE "papers" ADD CONSTRAINT "papers_kind" CHECK ("papers"."kind" in ('receipt', 'refund_note', 'settlement', 'statement', 'run_sheet', 'tax_list', 'closing'));--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_recipient" CHECK (num_nonnulls("project_messages"."recipient_id", "project_messages"."answers_id") = case when "project_messages"."is_private" and "project_messages"."is_admin_reply" then 2 else 0 end);--> statement-breakpoint
ALTER TABLE "project_messages" ADD CONSTRAINT "project_messages_no_answer" CHECK (("project_messages"."no_answer_at" is null) = ("project_messages"."no_answer_by" is null) and ("project_messages"."no_answer_at" is null or not "project_messages"."is_admin_reply"));--> statement-breakpoint
-- What stands for the ledger's past is written once.
CREATE TRIGGER ledger_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_closings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_closings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Whoever writes to the ledger, by whichever statement, shares its lock before any number is drawn: heads and closings wait for them.
CREATE FUNCTION share_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('ledger', 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_share BEFORE INSERT ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION share_ledger();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_share BEFORE INSERT ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION share_ledger();
--> statement-breakpoint
-- What comes too late for a closed month is of the next.
CREATE FUNCTION date_after_closed_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := greatest(NEW.created_at, (SELECT max(ends_at) FROM ledger_closings));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_date BEFORE INSERT ON ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION date_after_closed_months();
