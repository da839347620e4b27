ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_owner";--> statement-breakpoint
ALTER TABLE "payee_accounts" DROP CONSTRAINT "payee_accounts_farm";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_about";--> statement-breakpoint
DROP INDEX "payee_accounts_one_per_farm";--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD COLUMN "farm_id" integer;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "farm_id" integer;--> statement-breakpoint
ALTER TABLE "payee_accounts" ADD CONSTRAINT "payee_accounts_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_farm_id_farms_id_fk" FOREIGN KEY ("farm_id") REFERENCES "public"."farms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- By hand: a project that had an account, or was owed money as a farm, was its own farm. Its rounds get a farm of that name, and
-- the project too where it names one. The state is the one that its location names; owners correct one that isn't told.
ALTER TABLE "payee_accounts" DISABLE TRIGGER "payee_accounts_stay";--> statement-breakpoint
ALTER TABLE "payouts" DISABLE TRIGGER "payouts_stay";--> statement-breakpoint
DO $$
DECLARE
  one record;
  made integer;
  named text;
BEGIN
  FOR one IN
    SELECT paid.id, p.creator, coalesce(p.location, '') AS location,
      p.creator NOT IN ('Admin', 'Anonymous') AND length(btrim(p.creator)) BETWEEN 2 AND 80 AS is_named,
      coalesce(p.title, (SELECT o.project_title FROM payouts o WHERE o.project_id = paid.id ORDER BY o.id DESC LIMIT 1),
        'Farm of project ' || paid.id) AS title
    FROM (
      SELECT project_id AS id FROM payee_accounts WHERE project_id IS NOT NULL
      UNION SELECT project_id FROM payouts WHERE kind = 'farm'
      UNION SELECT subject::integer FROM second_person_requests WHERE kind = 'set_farm_account'
    ) paid LEFT JOIN projects p ON p.id = paid.id
    ORDER BY paid.id
  LOOP
    SELECT name INTO named FROM unnest(ARRAY['Abia', 'Adamawa', 'Akwa Ibom', 'Anambra', 'Bauchi', 'Bayelsa', 'Benue', 'Borno', 'Cross River', 'Delta', 'Ebonyi', 'Edo', 'Ekiti', 'Enugu', 'FCT', 'Gombe', 'Imo', 'Jigawa', 'Kaduna', 'Kano', 'Katsina', 'Kebbi', 'Kogi', 'Kwara', 'Lagos', 'Nasarawa', 'Niger', 'Ogun', 'Ondo', 'Osun', 'Oyo', 'Plateau', 'Rivers', 'Sokoto', 'Taraba', 'Yobe', 'Zamfara']) name
      WHERE one.location ~* ('\m' || name || '\M') ORDER BY length(name) DESC LIMIT 1;
    INSERT INTO farms (name, state, place) VALUES (
      CASE WHEN one.is_named THEN one.creator ELSE left(btrim(one.title), 80) END,
      coalesce(named, 'FCT'),
      left(regexp_replace(one.location, '(,\s*)?[^,]*\m' || coalesce(named, 'no state') || '\M[^,]*$', ''), 100)
    ) RETURNING id INTO made;
    UPDATE project_rounds SET farm_id = made WHERE project_id = one.id AND farm_id IS NULL;
    UPDATE projects SET farm_id = made WHERE id = one.id AND one.is_named AND farm_id IS NULL;
    UPDATE payee_accounts SET farm_id = made WHERE project_id = one.id;
    UPDATE payouts SET farm_id = made WHERE project_id = one.id AND kind = 'farm';
    UPDATE second_person_requests
    SET subject = 'farm/' || made, details = details - 'projectId' || jsonb_build_object('farmId', made)
    WHERE kind = 'set_farm_account' AND (details->>'projectId')::integer = one.id;
  END LOOP;
  -- Only now, because a farm's number may be that of another project whose request is open.
  UPDATE second_person_requests SET subject = details->>'farmId' WHERE kind = 'set_farm_account';
END $$;
--> statement-breakpoint
ALTER TABLE "payee_accounts" ENABLE TRIGGER "payee_accounts_stay";--> statement-breakpoint
ALTER TABLE "payouts" ENABLE TRIGGER "payouts_stay";--> statement-breakpoint
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