CREATE TABLE "farm_invites" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_invites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"farm_id" integer NOT NULL,
	"email" text NOT NULL,
	"full_name" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"consumed_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "farm_invites_token_key" UNIQUE("token_hash"),
	CONSTRAINT "farm_invites_email_normalised" CHECK ("farm_invites"."email" = lower(btrim("farm_invites"."email"))),
	CONSTRAINT "farm_invites_role" CHECK ("farm_invites"."role" in ('reporter', 'keeper'))
);
--> statement-breakpoint
CREATE TABLE "farm_people" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_people_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"farm_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	CONSTRAINT "farm_people_role" CHECK ("farm_people"."role" in ('reporter', 'keeper'))
);
--> statement-breakpoint
CREATE TABLE "farms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"state" text NOT NULL,
	"place" text DEFAULT '' NOT NULL,
	"latitude" numeric(3, 1),
	"longitude" numeric(4, 1),
	"since_year" integer,
	"story" text DEFAULT '' NOT NULL,
	"registration" text,
	"visited_on" date,
	"visited_by" text,
	"visit_note" text,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "farms_id_name_key" UNIQUE("id","name"),
	CONSTRAINT "farms_name" CHECK (length(btrim("farms"."name")) between 2 and 80),
	CONSTRAINT "farms_state" CHECK ("farms"."state" in ('Abia', 'Adamawa', 'Akwa Ibom', 'Anambra', 'Bauchi', 'Bayelsa', 'Benue', 'Borno', 'Cross River', 'Delta', 'Ebonyi', 'Edo', 'Ekiti', 'Enugu', 'FCT', 'Gombe', 'Imo', 'Jigawa', 'Kaduna', 'Kano', 'Katsina', 'Kebbi', 'Kogi', 'Kwara', 'Lagos', 'Nasarawa', 'Niger', 'Ogun', 'Ondo', 'Osun', 'Oyo', 'Plateau', 'Rivers', 'Sokoto', 'Taraba', 'Yobe', 'Zamfara')),
	CONSTRAINT "farms_place" CHECK (length("farms"."place") <= 100),
	CONSTRAINT "farms_coordinates" CHECK (num_nonnulls("farms"."latitude", "farms"."longitude") in (0, 2)),
	CONSTRAINT "farms_latitude" CHECK ("farms"."latitude" between -90 and 90),
	CONSTRAINT "farms_longitude" CHECK ("farms"."longitude" between -180 and 180),
	CONSTRAINT "farms_since_year" CHECK ("farms"."since_year" between 1900 and 2100),
	CONSTRAINT "farms_story" CHECK (length("farms"."story") <= 2000),
	CONSTRAINT "farms_registration" CHECK (length("farms"."registration") between 1 and 60),
	CONSTRAINT "farms_visited" CHECK (("farms"."visited_on" is null) = ("farms"."visited_by" is null)),
	CONSTRAINT "farms_visit_note" CHECK ("farms"."visit_note" is null or "farms"."visited_on" is not null)
);
--> statement-breakpoint
CREATE TABLE "farm_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "farm_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"number" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"code" text NOT NULL,
	"content" text,
	"farm_note" text,
	"idempotency_key" uuid,
	"sent_at" timestamp (3) with time zone,
	"sent_by" uuid,
	"sent_link_id" bigint,
	"sent_back_at" timestamp (3) with time zone,
	"sent_back_note" text,
	"published_at" timestamp (3) with time zone,
	"published_by" uuid,
	"is_code_seen" boolean DEFAULT false NOT NULL,
	"update_id" bigint,
	"excused_at" timestamp (3) with time zone,
	"excused_by" uuid,
	"excuse" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "farm_reports_number_key" UNIQUE("project_id","round","number"),
	CONSTRAINT "farm_reports_update_key" UNIQUE("update_id"),
	CONSTRAINT "farm_reports_number" CHECK ("farm_reports"."number" >= 1),
	CONSTRAINT "farm_reports_code" CHECK ("farm_reports"."code" ~ '^[2-9A-HJ-NP-Z]{4}$'),
	CONSTRAINT "farm_reports_sent" CHECK ("farm_reports"."sent_at" is null or "farm_reports"."content" is not null),
	CONSTRAINT "farm_reports_content" CHECK (length(btrim("farm_reports"."content")) between 1 and 20000),
	CONSTRAINT "farm_reports_farm_note" CHECK (length(btrim("farm_reports"."farm_note")) between 1 and 1000),
	CONSTRAINT "farm_reports_published" CHECK ("farm_reports"."published_at" is null or "farm_reports"."sent_at" is not null),
	CONSTRAINT "farm_reports_sent_back" CHECK (("farm_reports"."sent_back_at" is null) = ("farm_reports"."sent_back_note" is null)),
	CONSTRAINT "farm_reports_excused" CHECK (num_nonnulls("farm_reports"."excused_at", "farm_reports"."excuse") in (0, 2)),
	CONSTRAINT "farm_reports_excuse" CHECK (length(btrim("farm_reports"."excuse")) between 20 and 500)
);
--> statement-breakpoint
CREATE TABLE "report_asks" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"number" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_asks_pkey" PRIMARY KEY("project_id","round","number","user_id")
);
--> statement-breakpoint
CREATE TABLE "report_figures" (
	"report_id" bigint NOT NULL,
	"key" text NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "report_figures_pkey" PRIMARY KEY("report_id","key"),
	CONSTRAINT "report_figures_value" CHECK ("report_figures"."value" >= 0)
);
--> statement-breakpoint
CREATE TABLE "report_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "report_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"token_hash" text NOT NULL,
	"label" text NOT NULL,
	"made_by" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_links_token_key" UNIQUE("token_hash"),
	CONSTRAINT "report_links_label" CHECK (length(btrim("report_links"."label")) between 1 and 80)
);
--> statement-breakpoint
CREATE TABLE "report_plans" (
	"project_id" integer NOT NULL,
	"round" integer NOT NULL,
	"version" integer NOT NULL,
	"template" text NOT NULL,
	"every_days" integer NOT NULL,
	"weekday" integer NOT NULL,
	"ends_on" date,
	"figures" jsonb NOT NULL,
	"written_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_plans_pkey" PRIMARY KEY("project_id","round","version"),
	CONSTRAINT "report_plans_version" CHECK ("report_plans"."version" >= 1),
	CONSTRAINT "report_plans_template" CHECK ("report_plans"."template" in ('broiler', 'layer', 'catfish', 'tilapia', 'snail', 'goat', 'maize', 'cassava', 'tomato', 'mushroom', 'none')),
	CONSTRAINT "report_plans_every" CHECK ("report_plans"."every_days" in (7, 14, 30)),
	CONSTRAINT "report_plans_weekday" CHECK ("report_plans"."weekday" between 1 and 7),
	CONSTRAINT "report_plans_figures" CHECK (jsonb_array_length("report_plans"."figures") between 1 and 6)
);
--> statement-breakpoint
CREATE TABLE "photo_findings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "photo_findings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"file_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"other_file_id" uuid,
	"distance" integer,
	"verdict" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "photo_findings_kind" CHECK ("photo_findings"."kind" in ('same_bytes', 'alike', 'old', 'future')),
	CONSTRAINT "photo_findings_verdict" CHECK ("photo_findings"."verdict" in ('confirmed', 'dismissed')),
	CONSTRAINT "photo_findings_decided" CHECK (("photo_findings"."verdict" is null) = ("photo_findings"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "photo_prints" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"print" bit(128) NOT NULL,
	"inner_print" bit(128) NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "update_photos" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "update_photos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"update_id" bigint,
	"report_id" bigint,
	"photo_key" uuid NOT NULL,
	"position" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"url" text NOT NULL,
	"alt_text" text DEFAULT '' NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "update_photos_file_key" UNIQUE("file_id"),
	CONSTRAINT "update_photos_owner" CHECK (num_nonnulls("update_photos"."update_id", "update_photos"."report_id") >= 1),
	CONSTRAINT "update_photos_position" CHECK ("update_photos"."position" between 1 and 20)
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "farm_id" integer;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD COLUMN "farm_id" integer;--> statement-breakpoint
ALTER TABLE "farm_invites" ADD CONSTRAINT "farm_invites_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_invites" ADD CONSTRAINT "farm_invites_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_people" ADD CONSTRAINT "farm_people_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_people" ADD CONSTRAINT "farm_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_people" ADD CONSTRAINT "farm_people_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_people" ADD CONSTRAINT "farm_people_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_reports" ADD CONSTRAINT "farm_reports_sent_by_users_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_reports" ADD CONSTRAINT "farm_reports_sent_link_id_report_links_id_fk" FOREIGN KEY ("sent_link_id") REFERENCES "public"."report_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_reports" ADD CONSTRAINT "farm_reports_published_by_users_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_reports" ADD CONSTRAINT "farm_reports_update_id_project_updates_id_fk" FOREIGN KEY ("update_id") REFERENCES "public"."project_updates"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "farm_reports" ADD CONSTRAINT "farm_reports_excused_by_users_id_fk" FOREIGN KEY ("excused_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_asks" ADD CONSTRAINT "report_asks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_asks" ADD CONSTRAINT "report_asks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_figures" ADD CONSTRAINT "report_figures_report_id_farm_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."farm_reports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_plans" ADD CONSTRAINT "report_plans_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_findings" ADD CONSTRAINT "photo_findings_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_findings" ADD CONSTRAINT "photo_findings_other_file_id_stored_files_id_fk" FOREIGN KEY ("other_file_id") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_findings" ADD CONSTRAINT "photo_findings_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_prints" ADD CONSTRAINT "photo_prints_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "update_photos" ADD CONSTRAINT "update_photos_update_id_project_updates_id_fk" FOREIGN KEY ("update_id") REFERENCES "public"."project_updates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "update_photos" ADD CONSTRAINT "update_photos_report_id_farm_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."farm_reports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "update_photos" ADD CONSTRAINT "update_photos_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "farm_invites_one_open_per_email" ON "farm_invites" USING btree ("farm_id","email") WHERE "farm_invites"."consumed_at" is null and "farm_invites"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "farm_people_one_per_person" ON "farm_people" USING btree ("farm_id","user_id") WHERE "farm_people"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "farm_people_of_user" ON "farm_people" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "farms_by_name" ON "farms" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "farms_name_trigrams" ON "farms" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "farm_reports_due" ON "farm_reports" USING btree ("due_at") WHERE "farm_reports"."sent_at" is null and "farm_reports"."excused_at" is null;--> statement-breakpoint
CREATE INDEX "farm_reports_waiting" ON "farm_reports" USING btree ("sent_at") WHERE "farm_reports"."published_at" is null;--> statement-breakpoint
CREATE INDEX "report_links_of_project" ON "report_links" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "photo_findings_of_file" ON "photo_findings" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "photo_findings_of_other" ON "photo_findings" USING btree ("other_file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "update_photos_of_report" ON "update_photos" USING btree ("report_id","photo_key");--> statement-breakpoint
CREATE INDEX "update_photos_of_update" ON "update_photos" USING btree ("update_id","position");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_farm_fk" FOREIGN KEY ("farm_id","creator") REFERENCES "public"."farms"("id","name") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "project_rounds" ADD CONSTRAINT "project_rounds_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "projects_of_farm" ON "projects" USING btree ("farm_id");--> statement-breakpoint
CREATE INDEX "project_rounds_of_farm" ON "project_rounds" USING btree ("farm_id");--> statement-breakpoint
-- By hand, as drizzle knows no triggers. What was promised stays readable.
CREATE TRIGGER report_plans_append_only BEFORE UPDATE OR DELETE ON report_plans
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Who runs a round that was sold stays; one that nobody ran may be given a farm.
CREATE FUNCTION refuse_other_farm() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.approved_lots > 0 OR OLD.outcome IS NOT NULL) AND OLD.farm_id IS NOT NULL AND NEW.farm_id IS DISTINCT FROM OLD.farm_id THEN
    RAISE EXCEPTION 'round % of project % is sold or decided: another farm refused', OLD.round, OLD.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sold_round_keeps_its_farm';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER project_rounds_farm_stays BEFORE UPDATE OF farm_id ON project_rounds
  FOR EACH ROW EXECUTE FUNCTION refuse_other_farm();
--> statement-breakpoint
-- A published report says what its farm sent; only what the program adds to it may come later.
CREATE FUNCTION refuse_change_of_published_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (OLD.published_at IS NOT NULL AND
      (NEW.published_at, NEW.sent_at, NEW.content, NEW.due_at, NEW.code, NEW.number, NEW.round, NEW.project_id)
      IS DISTINCT FROM (OLD.published_at, OLD.sent_at, OLD.content, OLD.due_at, OLD.code, OLD.number, OLD.round, OLD.project_id)) THEN
    RAISE EXCEPTION 'report % is published: change refused', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'published_report_stays';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER farm_reports_stay BEFORE UPDATE OR DELETE ON farm_reports
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_published_report();
--> statement-breakpoint
-- Project pages and cards say how a farm reports.
CREATE TRIGGER farm_reports_tell_change AFTER INSERT OR UPDATE OR DELETE ON farm_reports
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
--> statement-breakpoint
CREATE TRIGGER farms_tell_change AFTER INSERT OR UPDATE OR DELETE ON farms
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_owner";--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_farm";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_about";--> statement-breakpoint
DROP INDEX "payee_accounts_one_per_farm";--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD COLUMN "farm_id" integer;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "farm_id" integer;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payouts_of_farm" ON "payouts" USING btree ("farm_id") WHERE "payouts"."farm_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payee_accounts_one_per_farm" ON "payee_accounts" USING btree ("farm_id") WHERE "payee_accounts"."replaced_at" is null;--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP COLUMN "project_id";--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_owner" CHECK (num_nonnulls("payee_accounts"."user_id", "payee_accounts"."farm_id", "payee_accounts"."line_id") = 1);--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_farm" CHECK (num_nonnulls("payee_accounts"."farm_id", "payee_accounts"."line_id") = 0 or "payee_accounts"."request_id" is not null);--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_about" CHECK (num_nonnulls("payouts"."refund_id", "payouts"."release_id", "payouts"."settlement_id", "payouts"."return_id", "payouts"."line_id") = 1 and ("payouts"."round" is null) = ("payouts"."kind" = 'sender') and ("payouts"."farm_id" is not null) = ("payouts"."kind" = 'farm') and case "payouts"."kind"
        when 'farm' then num_nonnulls("payouts"."release_id", "payouts"."settlement_id") = 1 and "payouts"."project_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id") = 0
        when 'harvest' then num_nonnulls("payouts"."settlement_id", "payouts"."user_id", "payouts"."project_id") = 3 and "payouts"."payment_id" is null
        when 'sender' then "payouts"."line_id" is not null and num_nonnulls("payouts"."user_id", "payouts"."payment_id", "payouts"."project_id") = 0
        when 'returned' then num_nonnulls("payouts"."return_id", "payouts"."user_id", "payouts"."payment_id") = 3
        else num_nonnulls("payouts"."refund_id", "payouts"."user_id", "payouts"."payment_id") = 3 end);
--> statement-breakpoint
ALTER TABLE "farm_reports" ADD COLUMN "first_sent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "farm_reports" ADD CONSTRAINT "farm_reports_first_sent" CHECK ("farm_reports"."first_sent_at" is not null or num_nonnulls("farm_reports"."sent_at", "farm_reports"."sent_back_at") = 0);
--> statement-breakpoint
ALTER TABLE "photo_prints" ALTER COLUMN "print" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_prints" ALTER COLUMN "inner_print" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "photo_prints" ADD COLUMN "mirror_print" bit(128);--> statement-breakpoint
ALTER TABLE "photo_prints" ADD COLUMN "inner_mirror_print" bit(128);--> statement-breakpoint
ALTER TABLE "photo_prints" ADD CONSTRAINT "photo_prints_all" CHECK (num_nulls("photo_prints"."print", "photo_prints"."inner_print", "photo_prints"."mirror_print", "photo_prints"."inner_mirror_print") in (0, 4));
