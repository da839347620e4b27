ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_kind";--> statement-breakpoint
UPDATE "second_person_requests" SET
  "kind" = 'lose',
  "subject" = "subject" || '/' || substr("kind", 6),
  "details" = ("details" - 'amountKobo') || jsonb_build_object('what', substr("kind", 6),
    'lostKobo', coalesce("details"->>'lostKobo', "details"->>'amountKobo', '0'))
WHERE "kind" IN ('lose_harvest', 'lose_rest', 'lose_costs');--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off', 'approve_payment', 'declare_arrived', 'give_held_back', 'book_loss', 'fail_payout', 'enter_payee_account', 'declare_sale', 'take_back_sale', 'lose', 'match_line', 'undo_match', 'change_setting', 'set_weight', 'count_cost', 'remove_sale', 'lower_harvest', 'settle_harvest', 'set_farm_account', 'release_to_farm', 'change_bank_details'));
