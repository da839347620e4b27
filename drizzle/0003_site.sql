CREATE TABLE "agreed_texts" (
	"sha256" text PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"version" integer NOT NULL,
	"html" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agreed_texts_sha256" CHECK ("agreed_texts"."sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "agreed_texts_page" CHECK ("agreed_texts"."page" in ('about', 'terms', 'privacy', 'cookies', 'accessibility'))
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text_sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_once" UNIQUE("user_id","kind","text_sha256"),
	CONSTRAINT "consents_kind" CHECK ("consents"."kind" in ('sign_up', 'purchase', 'change'))
);
--> statement-breakpoint
CREATE TABLE "mail_proofs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_proofs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code_hash" text NOT NULL,
	"sent_to" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"proven_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_proofs_hash" CHECK ("mail_proofs"."code_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "setup_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "setup_codes_hash" CHECK ("setup_codes"."code_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "site_pages" (
	"page" text NOT NULL,
	"version" integer NOT NULL,
	"html" text NOT NULL,
	"is_material" boolean NOT NULL,
	"change_note" text,
	"in_force_from" timestamp (3) with time zone NOT NULL,
	"written_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_pages_page_version_pk" PRIMARY KEY("page","version"),
	CONSTRAINT "site_pages_page" CHECK ("site_pages"."page" in ('about', 'terms', 'privacy', 'cookies', 'accessibility')),
	CONSTRAINT "site_pages_version" CHECK ("site_pages"."version" > 0),
	CONSTRAINT "site_pages_html" CHECK (length("site_pages"."html") between 1 and 200000),
	CONSTRAINT "site_pages_change_note" CHECK ((not "site_pages"."is_material" or "site_pages"."change_note" is not null) and length("site_pages"."change_note") between 1 and 1000)
);
--> statement-breakpoint
CREATE TABLE "site_profiles" (
	"version" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"legal_name" text,
	"tagline" text NOT NULL,
	"company_number" text,
	"address" text,
	"phone" text,
	"whatsapp" text,
	"support_email" text,
	"regulator_note" text,
	"reference_prefix" text NOT NULL,
	"paper_prefix" text NOT NULL,
	"color" text,
	"shades" jsonb,
	"mark_file_id" uuid,
	"written_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_profiles_version" CHECK ("site_profiles"."version" > 0),
	CONSTRAINT "site_profiles_texts" CHECK (length("site_profiles"."name") between 2 and 40 and length("site_profiles"."legal_name") between 2 and 120 and length("site_profiles"."tagline") between 1 and 120
          and length("site_profiles"."address") between 1 and 300 and length("site_profiles"."regulator_note") between 1 and 300),
	CONSTRAINT "site_profiles_company_number" CHECK ("site_profiles"."company_number" ~ '^(RC|BN|IT) [0-9]{3,8}$'),
	CONSTRAINT "site_profiles_phones" CHECK ("site_profiles"."phone" ~ '^\+[1-9][0-9]{6,14}$' and "site_profiles"."whatsapp" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "site_profiles_prefixes" CHECK ("site_profiles"."reference_prefix" ~ '^[A-Z]{2,5}$' and "site_profiles"."paper_prefix" ~ '^[A-Z]$' and "site_profiles"."reference_prefix" <> "site_profiles"."paper_prefix" || 'P'),
	CONSTRAINT "site_profiles_look" CHECK (("site_profiles"."color" is null) = ("site_profiles"."shades" is null) and "site_profiles"."color" ~ '^#[0-9a-f]{6}$' and jsonb_array_length("site_profiles"."shades") = 10)
);
--> statement-breakpoint
CREATE TABLE "testimonials" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "testimonials_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"backed" text NOT NULL,
	"words" text NOT NULL,
	"photo_file_id" uuid,
	"agreement" text NOT NULL,
	"written_by" uuid NOT NULL,
	"hidden_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "testimonials_texts" CHECK (length("testimonials"."name") between 1 and 80 and length("testimonials"."backed") between 1 and 120 and length("testimonials"."words") between 1 and 300
        and length("testimonials"."agreement") between 1 and 300)
);
--> statement-breakpoint
ALTER TABLE "stored_files" DROP CONSTRAINT "stored_files_kind";--> statement-breakpoint
ALTER TABLE "payment_references" ADD COLUMN "site_terms" text;--> statement-breakpoint
ALTER TABLE "project_payments" ADD COLUMN "site_terms" text;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_text_sha256_agreed_texts_sha256_fk" FOREIGN KEY ("text_sha256") REFERENCES "public"."agreed_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_proofs" ADD CONSTRAINT "mail_proofs_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_pages" ADD CONSTRAINT "site_pages_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_profiles" ADD CONSTRAINT "site_profiles_mark_file_id_stored_files_id_fk" FOREIGN KEY ("mark_file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_profiles" ADD CONSTRAINT "site_profiles_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "testimonials" ADD CONSTRAINT "testimonials_photo_file_id_stored_files_id_fk" FOREIGN KEY ("photo_file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "testimonials" ADD CONSTRAINT "testimonials_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_references" ADD CONSTRAINT "payment_references_site_terms_agreed_texts_sha256_fk" FOREIGN KEY ("site_terms") REFERENCES "public"."agreed_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_payments" ADD CONSTRAINT "project_payments_site_terms_agreed_texts_sha256_fk" FOREIGN KEY ("site_terms") REFERENCES "public"."agreed_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_kind" CHECK ("stored_files"."kind" in ('receipt', 'resume', 'photo', 'video', 'poster', 'evidence', 'paper', 'statement', 'mark'));--> statement-breakpoint
-- What is kept of the operator, their texts and who agreed to them is never changed: the newest version counts.
CREATE TRIGGER site_profiles_append_only BEFORE UPDATE OR DELETE ON site_profiles
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER site_pages_append_only BEFORE UPDATE OR DELETE ON site_pages
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER agreed_texts_append_only BEFORE UPDATE OR DELETE ON agreed_texts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consents_append_only BEFORE UPDATE OR DELETE ON consents
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Whoever shows the operator reads it again.
CREATE FUNCTION tell_site_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gona_events', '{"type":"site"}');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER site_profiles_tell_change AFTER INSERT ON site_profiles
  FOR EACH STATEMENT EXECUTE FUNCTION tell_site_change();
--> statement-breakpoint
CREATE TRIGGER site_pages_tell_change AFTER INSERT ON site_pages
  FOR EACH STATEMENT EXECUTE FUNCTION tell_site_change();
--> statement-breakpoint
CREATE TRIGGER testimonials_tell_change AFTER INSERT OR UPDATE OR DELETE ON testimonials
  FOR EACH STATEMENT EXECUTE FUNCTION tell_site_change();
--> statement-breakpoint
-- The site's reader keeps in memory whether it offers jobs.
CREATE TRIGGER settings_tell_careers AFTER INSERT OR UPDATE ON settings
  FOR EACH ROW WHEN (NEW.key = 'careers') EXECUTE FUNCTION tell_site_change();
--> statement-breakpoint
-- The home page counts rounds that are decided.
CREATE TRIGGER project_rounds_tell_decision AFTER UPDATE OF outcome ON project_rounds
  FOR EACH STATEMENT EXECUTE FUNCTION tell_public_change();
