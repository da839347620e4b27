-- Waits for the running transactions in their own order of locks, so that a process of the earlier version that still works
-- meets no deadlock.
LOCK TABLE "users" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "projects", "payment_references", "project_payments", "ledger_transactions", "ledger_entries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"reason" text NOT NULL,
	"made_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_kobo" > 0),
	CONSTRAINT "refunds_reason" CHECK ("refunds"."reason" in ('not_funded', 'not_approved'))
);
--> statement-breakpoint
CREATE TABLE "project_rounds" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"lots" integer NOT NULL,
	"minimum_lots" integer NOT NULL,
	"lot_price_kobo" bigint NOT NULL,
	"approved_lots" integer DEFAULT 0 NOT NULL,
	"outcome" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_rounds_pkey" PRIMARY KEY("project_id","round"),
	CONSTRAINT "project_rounds_round" CHECK ("project_rounds"."round" >= 1),
	CONSTRAINT "project_rounds_lots" CHECK ("project_rounds"."lots" between 1 and 1000),
	CONSTRAINT "project_rounds_minimum_lots" CHECK ("project_rounds"."minimum_lots" between 1 and "project_rounds"."lots"),
	CONSTRAINT "project_rounds_lot_price" CHECK ("project_rounds"."lot_price_kobo" > 0 and ("project_rounds"."lots" = 1 or "project_rounds"."lot_price_kobo" % 100 = 0)),
	CONSTRAINT "project_rounds_not_oversold" CHECK ("project_rounds"."approved_lots" between 0 and "project_rounds"."lots"),
	CONSTRAINT "project_rounds_outcome" CHECK ("project_rounds"."outcome" in ('funded', 'not_funded')),
	CONSTRAINT "project_rounds_decided" CHECK (("project_rounds"."outcome" is null) = ("project_rounds"."decided_at" is null)),
	CONSTRAINT "project_rounds_decided_by" CHECK ("project_rounds"."decided_by" is null or "project_rounds"."outcome" is not null),
	CONSTRAINT "project_rounds_given_back" CHECK ("project_rounds"."outcome" <> 'not_funded' or "project_rounds"."approved_lots" = 0)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_one_per_account";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "project_payments" DROP CONSTRAINT "project_payments_round";--> statement-breakpoint
DROP INDEX "project_payments_one_approved_per_round";--> statement-breakpoint
ALTER TABLE "payment_references" DROP CONSTRAINT "payment_references_pkey";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "payment_id" bigint;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "project_id" integer;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "round" integer;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "id" bigint PRIMARY KEY NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "payment_references_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
-- Payments of today are of one lot; one that isn't approved counts for its project's current round, as it did.
ALTER TABLE "project_payments" ADD COLUMN "lots" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_payments" ALTER COLUMN "lots" DROP DEFAULT;--> statement-breakpoint
UPDATE "project_payments" SET "round" = coalesce(
    (SELECT "round" FROM "projects" WHERE "projects"."id" = "project_payments"."project_id"), 1)
  WHERE "round" IS NULL;--> statement-breakpoint
ALTER TABLE "project_payments" ALTER COLUMN "round" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD CONSTRAINT "project_rounds_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_of_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_of_person" ON "refunds" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payment" ON "ledger_entries" USING btree ("account","payment_id") WHERE "ledger_entries"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_of_person" ON "ledger_entries" USING btree ("account","user_id") WHERE "ledger_entries"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_references_one_in_use" ON "payment_references" USING btree ("project_id","user_id") WHERE "payment_references"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "project_payments_approved_in_round" ON "project_payments" USING btree ("project_id","round") WHERE "project_payments"."status" = 'approved';--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_one_per_account" UNIQUE NULLS NOT DISTINCT("transaction_id","account","payment_id","project_id","round","user_id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" in ('bank', 'in_transit', 'receipts_held', 'project_funding', 'backer_due'));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due'));--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_lots" CHECK ("project_payments"."lots" between 1 and 1000);--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_round" CHECK ("project_payments"."round" >= 1);--> statement-breakpoint
-- Every round so far was one lot: the current one at the goal, as the edit screen says, an earlier one at what was paid.
INSERT INTO "project_rounds" ("project_id", "round", "lots", "minimum_lots", "lot_price_kobo", "approved_lots", "outcome", "decided_at", "created_at")
  SELECT p."id", r, 1, 1, CASE WHEN r = p."round" THEN p."funding_goal_kobo" ELSE coalesce(a."amount_kobo", p."funding_goal_kobo") END,
    CASE WHEN a."id" IS NULL THEN 0 ELSE 1 END, CASE WHEN a."id" IS NOT NULL THEN 'funded' END, a."decided_at", p."created_at"
  FROM "projects" p CROSS JOIN LATERAL generate_series(1, p."round") r
    LEFT JOIN "project_payments" a ON a."project_id" = p."id" AND a."round" = r AND a."status" = 'approved';--> statement-breakpoint

-- An approved payment's reference is used up. The next visit gets another.
UPDATE "payment_references" SET "retired_at" = coalesce(p."decided_at", p."updated_at") FROM "project_payments" p
  WHERE p."reference" = "payment_references"."reference" AND p."status" = 'approved';--> statement-breakpoint

-- A project's current round has its row. Deferred: the two are written together.
ALTER TABLE projects ADD CONSTRAINT projects_current_round_fk
  FOREIGN KEY (id, round) REFERENCES project_rounds (project_id, round) DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint

-- The dimensions of each account. Not valid, because entries from before this migration have none and stay as they are.
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_dimensions CHECK (CASE account
  WHEN 'bank' THEN num_nonnulls(payment_id, project_id, round, user_id) = 0
  WHEN 'in_transit' THEN payment_id IS NOT NULL AND num_nonnulls(project_id, round, user_id) = 0
  WHEN 'receipts_held' THEN payment_id IS NOT NULL AND num_nonnulls(project_id, round, user_id) = 0
  WHEN 'project_funding' THEN num_nonnulls(project_id, round) = 2 AND num_nonnulls(payment_id, user_id) = 0
  WHEN 'backer_due' THEN num_nonnulls(payment_id, user_id) = 2 AND num_nonnulls(project_id, round) = 0
END) NOT VALID;--> statement-breakpoint

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
END $$;--> statement-breakpoint
CREATE FUNCTION check_round_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_round_lots(OLD.project_id, OLD.round); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM check_round_lots(NEW.project_id, NEW.round); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_rounds_count_lots AFTER INSERT OR UPDATE OF approved_lots ON project_rounds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_of_row();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_payments_count_lots
  AFTER INSERT OR DELETE OR UPDATE OF status, lots, round, project_id ON project_payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_round_of_row();--> statement-breakpoint

-- What was sold stays as it was sold: lots, minimum and price of a round with an approved lot, or a decided one, don't change.
CREATE FUNCTION refuse_change_of_sold_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.approved_lots > 0 OR OLD.outcome IS NOT NULL) AND (OLD.lots, OLD.minimum_lots, OLD.lot_price_kobo) <> (NEW.lots, NEW.minimum_lots, NEW.lot_price_kobo) THEN
    RAISE EXCEPTION 'round % of project % is sold or decided: lots, minimum and price refused', OLD.round, OLD.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sold_round_is_frozen';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER project_rounds_frozen BEFORE UPDATE OF lots, minimum_lots, lot_price_kobo ON project_rounds
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_sold_round();--> statement-breakpoint

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
END $$;--> statement-breakpoint
CREATE FUNCTION check_goal_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_goal(NEW.id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION check_goal_of_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_goal(NEW.project_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER projects_goal_is_all_lots AFTER INSERT OR UPDATE OF funding_goal_kobo, round ON projects
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_goal_of_project();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_rounds_are_the_goal AFTER INSERT OR UPDATE OF lots, lot_price_kobo ON project_rounds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_goal_of_round();
