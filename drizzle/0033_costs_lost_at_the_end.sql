ALTER TABLE "harvests" DROP CONSTRAINT "harvests_costs_lost";--> statement-breakpoint
ALTER TABLE "harvests" ADD CONSTRAINT "harvests_costs_lost" CHECK ("harvests"."costs_lost_at" is null or "harvests"."state" in ('lost', 'withdrawn', 'done'));--> statement-breakpoint
-- Written by hand: the harvests that ended with such a loss before, as the ledger knows them.
UPDATE "harvests" SET "costs_lost_at" = "done_at"
  WHERE "state" = 'done' AND EXISTS (
    SELECT FROM "ledger_transactions" t JOIN "ledger_entries" e ON e."transaction_id" = t."id" AND e."account" = 'losses' AND e."amount_kobo" > 0
    WHERE t."kind" = 'harvest_costs_left' AND t."harvest_id" = "harvests"."id");
