-- Written by hand: a range of days has one valid paper. Where there are several, by a fault, the last one stays valid.
UPDATE "papers" AS older SET "replaced_at" = now()
  WHERE older."first_day" IS NOT NULL AND older."replaced_at" IS NULL AND EXISTS (
    SELECT FROM "papers" AS newer
    WHERE newer."kind" = older."kind" AND newer."user_id" IS NOT DISTINCT FROM older."user_id"
      AND newer."first_day" = older."first_day" AND newer."last_day" = older."last_day"
      AND newer."replaced_at" IS NULL AND newer."id" > older."id");--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_statement_of_range" ON "papers" USING btree ("user_id","first_day","last_day") WHERE "papers"."kind" = 'statement' and "papers"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "papers_one_tax_list_of_range" ON "papers" USING btree ("first_day","last_day") WHERE "papers"."kind" = 'tax_list' and "papers"."replaced_at" is null;