import { sql } from "drizzle-orm";
import type { Db } from "#server/db/open.ts";

export const FIRST_PAYMENT = 100_001;

/** The hash of a payment's receipt, as an administrator saw it. */
export const receiptHashOf = (payment: number) => String(payment).padStart(64, "0");

/** Makes `count` pending payments from {@link FIRST_PAYMENT} on, each with its own project and person. */
export async function makePendingPayments(db: Db, count: number): Promise<void> {
  const id = (kind: number) => sql.raw(`('00000000-0000-4000-${kind}-' || lpad(n::text, 12, '0'))::uuid`);
  const [person, file, receipt] = [id(8001), id(8002), id(8003)];
  const each = sql.raw(`generate_series(${FIRST_PAYMENT}, ${FIRST_PAYMENT + count - 1}) n`);
  const hash = sql`lpad(n::text, 64, '0')`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`insert into users (id, email, full_name, email_verified_at)
      select ${person}, 'backer-' || n || '@example.com', 'Backer ' || n, now() from ${each}`);
    await tx.execute(sql`insert into projects (id, title, short_description, description, image_url, funding_goal_kobo, ends_at)
      overriding system value
      select n, 'Catfish ponds ' || n, 'Three new ponds for a cooperative.',
        '<p>Three new ponds, stocked twice a year by a cooperative of fish farmers.</p>', '/scenes/catfish-ponds.svg',
        50000000, now() + interval '30 days' from ${each}`);
    await tx.execute(sql`insert into round_terms (project_id, round, version, unit, farm_part_rate, deductible_costs,
        fee_rate, options, collection_place, choice_days, collection_days, release_parts, text, text_sha256)
      select n, 1, 1, 'share', 0, '[]', 500, '["sale"]', '', 14, 7, '[]', 'Risk: None.', encode(sha256('Risk: None.'), 'hex') from ${each}`);
    await tx.execute(sql`insert into project_rounds (project_id, round, lots, minimum_lots, lot_price_kobo, terms_version)
      select n, 1, 1, 1, 50000000, 1 from ${each}`);
    await tx.execute(sql`insert into payment_references
        (project_id, user_id, reference, round, terms_version, agreed_at, lots, lot_price_kobo)
      select n, ${person}, 'GONA-' || n, 1, 1, now(), 1, 50000000 from ${each}`);
    await tx.execute(sql`insert into stored_files (id, kind, storage_key, sha256, bytes, content_type, original_name, uploaded_by)
      select ${file}, 'receipt', 'receipt/' || lpad(n::text, 32, '0'), ${hash}, 100000, 'image/png', 'receipt.png', ${person} from ${each}`);
    await tx.execute(sql`insert into project_payments (id, project_id, project_title, user_id, round, lots, terms_version, agreed_at, amount_kobo, reference, current_receipt_id)
      overriding system value
      select n, n, 'Catfish ponds ' || n, ${person}, 1, 1, 1, now(), 50000000, 'GONA-' || n, ${receipt} from ${each}`);
    await tx.execute(sql`insert into payment_receipts (id, payment_id, user_id, file_id, sha256, idempotency_key)
      select ${receipt}, n, ${person}, ${file}, ${hash}, ${receipt} from ${each}`);
  });
  await db.execute(sql`vacuum analyze`);
}
