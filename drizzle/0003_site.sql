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
ALTER TABLE "site_profiles" ADD CONSTRAINT "site_profiles_mark_file_id_stored_files_id_fk" FOREIGN KEY ("mark_file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_profiles" ADD CONSTRAINT "site_profiles_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What is kept of the operator is never changed: the newest version counts. Whoever shows it reads it again.
CREATE TRIGGER site_profiles_append_only BEFORE DELETE OR UPDATE ON site_profiles
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION tell_site_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gona_events', '{"type":"site"}');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER site_profiles_tell_change AFTER INSERT ON site_profiles
  FOR EACH STATEMENT EXECUTE FUNCTION tell_site_change();
