CREATE TABLE "holder_change_files" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"added_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "holder_change_payments" (
	"change_id" bigint NOT NULL,
	"payment_id" bigint NOT NULL,
	CONSTRAINT "holder_change_payments_change_id_payment_id_pk" PRIMARY KEY("change_id","payment_id")
);
--> statement-breakpoint
CREATE TABLE "holder_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "holder_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"project_id" integer NOT NULL,
	"project_title" text NOT NULL,
	"round" integer NOT NULL,
	"from_user_id" uuid NOT NULL,
	"to_user_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"reason" text NOT NULL,
	"request_id" bigint NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"outcome" text,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"end_reason" text,
	"backing_id" bigint,
	CONSTRAINT "holder_changes_one_per_request" UNIQUE("request_id"),
	CONSTRAINT "holder_changes_people" CHECK ("holder_changes"."from_user_id" <> "holder_changes"."to_user_id"),
	CONSTRAINT "holder_changes_cause" CHECK ("holder_changes"."cause" in ('death', 'gift', 'court')),
	CONSTRAINT "holder_changes_outcome" CHECK ("holder_changes"."outcome" in ('carried_out', 'objected', 'stopped', 'failed')),
	CONSTRAINT "holder_changes_until" CHECK ("holder_changes"."until" > "holder_changes"."created_at"),
	CONSTRAINT "holder_changes_ended" CHECK (("holder_changes"."outcome" is null) = ("holder_changes"."ended_at" is null)),
	CONSTRAINT "holder_changes_ended_by" CHECK (("holder_changes"."ended_by" is not null) = (coalesce("holder_changes"."outcome", '') in ('objected', 'stopped'))
        and ("holder_changes"."end_reason" is not null) = (coalesce("holder_changes"."outcome", '') in ('stopped', 'failed'))),
	CONSTRAINT "holder_changes_carried_out" CHECK ((coalesce("holder_changes"."outcome", '') not in ('carried_out', 'failed') or "holder_changes"."ended_at" >= "holder_changes"."until")
        and ("holder_changes"."backing_id" is null or "holder_changes"."outcome" = 'carried_out'))
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind";--> statement-breakpoint
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "holder_change_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "former_user_id" uuid;--> statement-breakpoint
ALTER TABLE "holder_change_files" ADD CONSTRAINT "holder_change_files_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_change_files" ADD CONSTRAINT "holder_change_files_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_change_files" ADD CONSTRAINT "holder_change_files_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_change_payments" ADD CONSTRAINT "holder_change_payments_change_id_holder_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."holder_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_change_payments" ADD CONSTRAINT "holder_change_payments_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_payment_id_project_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."project_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_from_user_id_users_id_fk" FOREIGN KEY ("from_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_to_user_id_users_id_fk" FOREIGN KEY ("to_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_request_id_second_person_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."second_person_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_changes" ADD CONSTRAINT "holder_changes_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holder_change_files_of_payment" ON "holder_change_files" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "holder_change_payments_of_payment" ON "holder_change_payments" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "holder_changes_one_running" ON "holder_changes" USING btree ("project_id","round","from_user_id") WHERE "holder_changes"."outcome" is null;--> statement-breakpoint
CREATE INDEX "holder_changes_of_payment" ON "holder_changes" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "holder_changes_from" ON "holder_changes" USING btree ("from_user_id");--> statement-breakpoint
CREATE INDEX "holder_changes_to" ON "holder_changes" USING btree ("to_user_id");--> statement-breakpoint
CREATE INDEX "holder_changes_running" ON "holder_changes" USING btree ("until") WHERE "holder_changes"."outcome" is null;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_former_user_id_users_id_fk" FOREIGN KEY ("former_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_holder_change_once" UNIQUE("holder_change_id");--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_holder_change" CHECK (("ledger_transactions"."kind" = 'holder_change') = ("ledger_transactions"."holder_change_id" is not null));--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind" CHECK ("ledger_transactions"."kind" in ('approval', 'reversal', 'refund_due', 'refund_taken_back', 'declared_arrival', 'assumed_arrival', 'strike', 'opening', 'line', 'voided_line', 'voided_opening', 'match', 'undone_match', 'payout_sent', 'payout_failed', 'payout_failure_undone', 'farm_release', 'farm_release_taken_back', 'round_return', 'round_return_taken_back', 'holder_change', 'sale_declared', 'sale_taken_back', 'sale_lost', 'settlement', 'settlement_reversed', 'harvest_costs_left', 'produce_allotted', 'produce_collected', 'produce_uncollected'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_former" CHECK ("payouts"."former_user_id" is null or "payouts"."former_user_id" <> "payouts"."user_id");--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_unallocated_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'void_bank_data', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'change_sale', 'lose_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'return_to_backers', 'take_return_back', 'strike_payment', 'change_holder', 'change_bank_details', 'refuse_payouts', 'let_payout_go'));--> statement-breakpoint
-- Changes of holder. What stands in one never changes, apart from its end; its payments and papers are only added.
CREATE FUNCTION refuse_change_of_holder_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.outcome IS NOT NULL OR NEW.outcome IS NULL OR
    to_jsonb(OLD) - ARRAY['outcome', 'ended_at', 'ended_by', 'end_reason', 'backing_id']
    IS DISTINCT FROM to_jsonb(NEW) - ARRAY['outcome', 'ended_at', 'ended_by', 'end_reason', 'backing_id']
  THEN
    RAISE EXCEPTION 'change of holder %: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER holder_changes_stay BEFORE DELETE OR UPDATE ON holder_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_holder_change();
--> statement-breakpoint
CREATE TRIGGER holder_change_payments_append_only BEFORE DELETE OR UPDATE ON holder_change_payments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER holder_change_files_append_only BEFORE DELETE OR UPDATE ON holder_change_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Whether a payment is a person's, or was before a change of holder.
CREATE FUNCTION has_held(payment bigint, person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM project_payments WHERE id = payment AND user_id = person)
    OR EXISTS (
      SELECT FROM holder_change_payments p JOIN holder_changes c ON c.id = p.change_id
      WHERE p.payment_id = payment AND c.outcome = 'carried_out' AND c.from_user_id = person)
$$;
--> statement-breakpoint
-- A payment is another person's only by a change of holder that was carried out.
CREATE FUNCTION refuse_other_holder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM holder_changes c JOIN holder_change_payments p ON p.change_id = c.id AND p.payment_id = OLD.id
    WHERE c.outcome = 'carried_out' AND c.from_user_id = OLD.user_id AND c.to_user_id = NEW.user_id)
  THEN
    RAISE EXCEPTION 'payment % is another person''s: change refused', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER project_payments_holder BEFORE UPDATE OF user_id ON project_payments
  FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION refuse_other_holder();
--> statement-breakpoint
-- So is what is due of it, while it is in no run.
CREATE OR REPLACE FUNCTION refuse_change_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  free CONSTANT text[] := ARRAY['state', 'run_id', 'due_at', 'promised_by', 'sent_at', 'paid_at', 'paid_by', 'paid_session_id',
    'paid_reason', 'failed_at', 'failed_reason', 'refusal_request_id', 'cancelled_at', 'withheld_at', 'withheld_by',
    'withheld_reason', 'let_go_request_id', 'user_id', 'former_user_id'];
BEGIN
  IF TG_OP = 'DELETE' OR to_jsonb(OLD) - free IS DISTINCT FROM to_jsonb(NEW) - free
    OR (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'due'), ('waiting', 'cancelled'), ('due', 'due'),
      ('due', 'waiting'), ('due', 'in_run'), ('due', 'cancelled'), ('in_run', 'in_run'), ('in_run', 'due'), ('in_run', 'sent'),
      ('sent', 'sent'), ('sent', 'paid'), ('sent', 'failed'), ('paid', 'paid'), ('paid', 'sent'), ('paid', 'failed'),
      ('failed', 'sent'), ('failed', 'paid'))
    OR (OLD.state = 'failed' AND (OLD.refusal_request_id IS NOT NULL OR NOT EXISTS (
      SELECT FROM line_matches m WHERE m.payout_id = OLD.id AND m.kind = 'returned' AND m.receivable_kobo IS NULL
    ) OR EXISTS (
      SELECT FROM line_matches m WHERE m.payout_id = OLD.id AND m.kind = 'returned' AND m.receivable_kobo IS NULL
        AND m.undone_at IS NULL
    )))
    OR ((OLD.user_id, OLD.former_user_id) IS DISTINCT FROM (NEW.user_id, NEW.former_user_id) AND (
      OLD.state NOT IN ('waiting', 'due') OR NEW.state NOT IN ('waiting', 'due')
      OR NEW.former_user_id IS DISTINCT FROM nullif(coalesce(OLD.former_user_id, OLD.user_id), NEW.user_id)
      OR NOT EXISTS (
        SELECT FROM holder_changes c WHERE c.outcome = 'carried_out' AND c.from_user_id = OLD.user_id
          AND c.to_user_id = NEW.user_id AND c.project_id = OLD.project_id AND c.round = OLD.round)))
  THEN
    RAISE EXCEPTION 'payout % goes from % to %: change refused', OLD.id, OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- What counts in harvests goes along, and produce that lies ready gets another code.
CREATE FUNCTION goes_to_holder(backing bigint, before uuid, after uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM holder_changes c WHERE c.outcome = 'carried_out' AND c.backing_id = backing AND c.from_user_id = before
      AND c.to_user_id = after)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_change_of_harvest_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others text[] := ARRAY['user_id', 'code', 'collected_at', 'collected_by', 'uncollected_at', 'struck_kobo'];
BEGIN
  IF (OLD.harvest_id, OLD.backing_id) IS DISTINCT FROM (NEW.harvest_id, NEW.backing_id)
    OR (OLD.user_id <> NEW.user_id AND NOT goes_to_holder(OLD.backing_id, OLD.user_id, NEW.user_id))
    OR NEW.weight_kobo > OLD.weight_kobo OR NEW.struck_kobo < OLD.struck_kobo
    OR (OLD.quantity IS NOT NULL AND (to_jsonb(OLD) - others IS DISTINCT FROM to_jsonb(NEW) - others
      OR (OLD.user_id = NEW.user_id AND OLD.code IS DISTINCT FROM NEW.code)))
    OR (num_nonnulls(OLD.collected_at, OLD.uncollected_at) > 0 AND (OLD.collected_at, OLD.collected_by, OLD.uncollected_at)
      IS DISTINCT FROM (NEW.collected_at, NEW.collected_by, NEW.uncollected_at))
  THEN
    RAISE EXCEPTION 'part of backing % in harvest %: change refused', OLD.backing_id, OLD.harvest_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_change_of_round_weight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - ARRAY['struck_kobo', 'user_id'] = to_jsonb(NEW) - ARRAY['struck_kobo', 'user_id']
    AND NEW.struck_kobo >= OLD.struck_kobo
    AND (OLD.user_id = NEW.user_id OR goes_to_holder(OLD.backing_id, OLD.user_id, NEW.user_id))
  THEN
    RETURN NEW;
  END IF;
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
