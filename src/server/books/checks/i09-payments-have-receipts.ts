import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Every payment has a stored receipt with its hash, or came with a line of the bank's statement.
 *
 * A payment can be traced to what showed it. A finding means that evidence was lost or exchanged. The bytes of I9 are read in
 * `#server/files/checks.ts`.
 */
export const paymentsHaveReceipts: Invariant = {
  name: "I9 every payment has a stored receipt with its hash, or came with a line of the bank's statement",
  query: () => sql`
    select 'receipt without a stored file of its hash' as violation,
      jsonb_build_object('receiptId', r.id, 'paymentId', r.payment_id, 'fileId', r.file_id) as row
    from payment_receipts r left join stored_files f on f.id = r.file_id
    where f.id is null or f.kind <> 'receipt' or f.sha256 <> r.sha256
    union all
    select 'stored receipt that no payment refers to', jsonb_build_object('fileId', f.id, 'key', f.storage_key)
    from stored_files f
    where f.kind = 'receipt' and not exists (select from payment_receipts r where r.file_id = f.id)
    union all
    select 'payment without its receipt', jsonb_build_object('paymentId', p.id, 'receiptId', p.current_receipt_id)
    from project_payments p
    where p.current_receipt_id is not null and not exists (
      select from payment_receipts r
      where r.id = p.current_receipt_id and r.payment_id = p.id and has_held(p.id, r.user_id))
    union all
    select 'payment without a receipt that no line ever showed', jsonb_build_object('paymentId', p.id)
    from project_payments p
    where p.current_receipt_id is null and not exists (
      select from line_matches m where m.payment_id = p.id and m.kind = 'payment')`,
};
