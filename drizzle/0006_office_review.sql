-- The site's reader keeps in memory within how many working days receipts are reviewed.
CREATE TRIGGER settings_tell_review_days AFTER INSERT OR UPDATE ON settings
  FOR EACH ROW WHEN (NEW.key = 'reviewdays') EXECUTE FUNCTION tell_site_change();
--> statement-breakpoint
-- Who has sent a receipt was promised an answer within one working day: the midnight in Lagos that ends it.
UPDATE project_payments p SET review_by = ((r.day + 1 + CASE extract(isodow FROM r.day) WHEN 5 THEN 3 WHEN 6 THEN 2 ELSE 1 END)::timestamp
  AT TIME ZONE 'Africa/Lagos')
FROM (SELECT id, (created_at AT TIME ZONE 'Africa/Lagos')::date AS day FROM payment_receipts) r
WHERE r.id = p.current_receipt_id AND p.status = 'pending';
