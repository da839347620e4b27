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
ALTER TABLE "project_rounds" DROP CONSTRAINT "project_rounds_not_oversold";--> statement-breakpoint
ALTER TABLE "project_rounds" ADD COLUMN "held_lots" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_list" ADD CONSTRAINT "waiting_list_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "holds_one_per_person" ON "holds" USING btree ("project_id","round","user_id") WHERE "holds"."state" in ('live', 'claimed');--> statement-breakpoint
CREATE UNIQUE INDEX "holds_one_per_reference" ON "holds" USING btree ("reference") WHERE "holds"."state" in ('live', 'claimed');--> statement-breakpoint
CREATE INDEX "holds_of_user" ON "holds" USING btree ("user_id","state");--> statement-breakpoint
CREATE INDEX "holds_by_end" ON "holds" USING btree ("until") WHERE "holds"."state" = 'live';--> statement-breakpoint
CREATE INDEX "holds_of_round" ON "holds" USING btree ("project_id","round","id");--> statement-breakpoint
CREATE UNIQUE INDEX "waiting_list_one_per_person" ON "waiting_list" USING btree ("project_id","round","user_id") WHERE "waiting_list"."offered_at" is null and "waiting_list"."left_at" is null;--> statement-breakpoint
CREATE INDEX "waiting_list_queue" ON "waiting_list" USING btree ("project_id","round","id") WHERE "waiting_list"."offered_at" is null and "waiting_list"."left_at" is null;--> statement-breakpoint
CREATE INDEX "waiting_list_of_user" ON "waiting_list" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "project_rounds" ADD CONSTRAINT "project_rounds_not_oversold" CHECK ("project_rounds"."approved_lots" >= 0 and "project_rounds"."held_lots" >= 0 and "project_rounds"."approved_lots" + "project_rounds"."held_lots" <= "project_rounds"."lots");--> statement-breakpoint
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
END $$;--> statement-breakpoint
CREATE FUNCTION check_held_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_held_lots(OLD.project_id, OLD.round); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM check_held_lots(NEW.project_id, NEW.round); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER project_rounds_count_held AFTER INSERT OR UPDATE OF held_lots ON project_rounds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_held_of_row();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER holds_count_held AFTER INSERT OR DELETE OR UPDATE OF state, lots, round, project_id ON holds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_held_of_row();
