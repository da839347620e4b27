ALTER TABLE "notifications" ADD COLUMN "is_about_money" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What was told before of money that is paid to the reader; a farm's payouts are told to owners.
UPDATE notifications SET is_about_money = true
  WHERE kind = 'payment_status' AND (event_key ~ '^refund:[0-9]+:due$' OR event_key ~ '^refund:.*:overdue$'
    OR (event_key ~ '^payout:[0-9]+:' AND split_part(event_key, ':', 2)::bigint IN (SELECT id FROM payouts WHERE kind <> 'farm')));
