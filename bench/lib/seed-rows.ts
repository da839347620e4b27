import { bankFills } from "./seed-bank.ts";
import { categoryOf, personNameOf, titleOf, wordOf } from "./seed-words.ts";

/** The number of administrators among the people. The first is an owner. */
export const ADMINS = 30;
const description =
  "'Two months of work on the land, told week by week, with photos of what grows and what it costs. ' || md5(n::text)";

/**
 * The statements that fill a database, in their order: `rows` projects and payments, a fifth as many people. Everything
 * keeps the rules of the books (`npm run check:money`), but receipts have no bytes and nobody was told. The same number
 * gives the same rows, up to the moment they end at.
 */
export function statementsFor(rows: number): { table: string; fill: string }[] {
  const n = rows;
  const people = Math.max(200, Math.floor(rows / 5));
  const backers = people - ADMINS;
  const each = (count: number) => `generate_series(1, ${Math.floor(count)}) n`;
  const chance = (salt: number) => `pg_temp.chance(n, ${salt})`;
  /** Within three years up to now. */
  const momentOf = (part: string) => `now() - interval '1095 days' * (1 - ${part})`;

  const fills: [string, string][] = [
    [
      "users",
      `insert into users (id, email, full_name, email_verified_at, is_admin, is_blocked, last_activity_at, created_at, updated_at)
        select pg_temp.person(n), case when n = 1 then 'owner@seeded.example' else
          lower(regexp_replace(name, '[^A-Za-z]+', '.', 'g')) || n || '@' || ${wordOf(["gmail.com", "yahoo.com", "farm.example", "mail.example"], "pg_temp.chance(n, 1)")} end,
          name, now(), n <= ${ADMINS}, n > ${ADMINS} and ${chance(2)} < 0.01, ${momentOf(chance(3))},
          ${momentOf(`n / ${people}::float8`)}, now()
        from (select n, ${personNameOf} as name from ${each(people)}) named`,
    ],
    [
      "user_roles",
      `insert into user_roles (user_id, role, created_at)
        select pg_temp.person(n), case when n <= 3 then 'owner' when n <= 20 then 'manager' else 'viewer' end, now()
        from ${each(ADMINS)}`,
    ],
    [
      "owner_terms",
      "insert into owner_terms (user_id, since) select user_id, now() - interval '1000 days' from user_roles where role = 'owner'",
    ],
    [
      "projects",
      `insert into projects (id, title, category, short_description, description, image_url, location, rewards,
          funding_goal_kobo, current_funding_kobo, backers_count, duration_days, ends_at, is_closed, closed_at, created_at, updated_at)
        overriding system value
        select n, left(${titleOf}, 100), category, ${description},
          '<p>' || ${description} || ' ' || ${description} || '</p>',
          '/scenes/' || (n % 28) || '.svg', ${wordOf(["Oyo", "Kano", "Lagos", "Plateau", "Benue", "Kwara"], "pg_temp.chance(n, 5)")},
          '[]', goal, case when fate < 0.5 then goal else 0 end, pg_temp.granted(n) + (fate < 0.5)::int, days,
          case when fate < 0.6 then started + days * interval '1 day' else now() + ${chance(6)} * interval '60 days' end,
          fate < 0.6, case when fate < 0.6 then started + days * interval '12 hours' end, started, started
        from (
          select n, ${categoryOf("pg_temp.chance(n, 7)")} as category, pg_temp.fate(n) as fate,
            1000000 * (1 + floor(500 * ${chance(8)} * ${chance(9)}))::bigint as goal,
            (7 + floor(53 * ${chance(10)}))::int as days, ${momentOf(`n / ${n}::float8`)} as started
          from ${each(rows)}) drawn`,
    ],
    [
      "project_payments",
      `insert into project_payments (id, project_id, project_title, user_id, lots, terms_version, agreed_at, amount_kobo, reference, status, round,
          rejection_reason, current_receipt_id, decided_by, decided_at, created_at, updated_at)
        overriding system value
        select id, p.n, title, pg_temp.backer(p.n, ${backers}, slot), 1, 1, submitted, goal, 'SEED-' || id, status, 1,
          case when status = 'rejected' then 'The amount differs.' end, pg_temp.uuid_of('receipt' || id),
          case when status <> 'pending' then pg_temp.admin(id) end,
          case when status <> 'pending' then submitted + interval '9 hours' end, submitted, submitted
        from (select id as n, title, funding_goal_kobo as goal, created_at from projects) p,
          lateral (
            select p.n::bigint as id, 0 as slot, case when pg_temp.fate(p.n) < 0.5 then 'approved' else 'pending' end as status
            where pg_temp.fate(p.n) not between 0.5 and 0.8
            union all
            select p.n::bigint + ${n}, 300, 'rejected' where pg_temp.chance(p.n, 21) < 0.3) made,
          lateral (select least(now() - interval '10 hours', p.created_at + interval '30 days' * pg_temp.chance(id, 22)) as submitted) at`,
    ],
    [
      "round_terms",
      `insert into round_terms (project_id, round, version, unit, farm_part_rate, deductible_costs, fee_rate, options,
          collection_place, choice_days, collection_days, release_parts, first_harvest_on, insurance, text, text_sha256)
        select id, 1, 1, 'share', 0, '[]', 500, '["sale"]', '', 14, 7, '[]', current_date + id % 300,
          case id % 4 when 0 then '{"insurer":"Demo","policy":"1","covers":"Disease"}'::jsonb end,
          'Risk: None.', encode(sha256('Risk: None.'), 'hex') from projects`,
    ],
    [
      "holds",
      `insert into holds (project_id, round, user_id, lots, reference, state, has_receipt, created_at)
        select project_id, 1, user_id, 1, reference, 'claimed', true, created_at
        from project_payments where status = 'pending' and pg_temp.chance(id, 51) < 0.5`,
    ],
    [
      "project_rounds",
      `insert into project_rounds (project_id, round, lots, minimum_lots, lot_price_kobo, terms_version, approved_lots, held_lots, outcome, decided_at)
        select p.id, 1, 1, 1, funding_goal_kobo, 1, count(a.id), (select count(*) from holds h where h.project_id = p.id), case when count(a.id) > 0 then 'funded' end, max(a.decided_at)
        from projects p left join project_payments a on a.project_id = p.id and a.status = 'approved' group by p.id`,
    ],
    [
      "payment_references",
      `insert into payment_references (project_id, user_id, reference, round, terms_version, agreed_at, lots, lot_price_kobo,
          retired_at, created_at)
        select project_id, user_id, reference, round, terms_version, agreed_at, lots, amount_kobo / lots,
          case when status = 'approved' then decided_at end, created_at from project_payments`,
    ],
    [
      "stored_files",
      `insert into stored_files (id, kind, storage_key, sha256, bytes, content_type, original_name, uploaded_by, created_at)
        select pg_temp.uuid_of('file' || id), 'receipt', 'receipt/' || md5('file' || id),
          encode(sha256(convert_to(case when pg_temp.chance(id, 31) < 0.01 then (id % 1000)::text else 'seeded ' || id end, 'UTF8')), 'hex'),
          100000, 'image/png', 'receipt.png', user_id, created_at from project_payments`,
    ],
    [
      "payment_receipts",
      `insert into payment_receipts (id, payment_id, user_id, file_id, sha256, idempotency_key, created_at)
        select p.current_receipt_id, p.id, p.user_id, f.id, f.sha256, pg_temp.uuid_of('key' || p.id), p.created_at
        from project_payments p join stored_files f on f.id = pg_temp.uuid_of('file' || p.id)`,
    ],
    [
      "project_backings",
      `insert into project_backings (project_id, user_id, granted_at, granted_by, created_at)
        select n, pg_temp.backer(n, ${backers}, slot), case when slot > 0 then at end, case when slot > 0 then pg_temp.admin(n) end, at
        from ${each(rows)}, lateral generate_series((pg_temp.fate(n) >= 0.5)::int, pg_temp.granted(n)) slot,
          lateral (select ${momentOf(`n / ${n}::float8`)} + slot * interval '1 hour' as at) made`,
    ],
    [
      "project_updates",
      `insert into project_updates (project_id, title, content, created_at)
        select 1 + floor(${n} * ${chance(43)})::int, 'Week ' || n % 20, ${description}, ${momentOf(chance(44))} from ${each(rows * 0.2)}`,
    ],
    [
      "project_media",
      `insert into project_media (project_id, type, url, alt_text, created_at)
        select 1 + floor(${n} * ${chance(47)})::int, 'photo', '/scenes/' || n % 28 || '.svg', 'The field', ${momentOf(chance(48))}
        from ${each(rows * 0.2)}`,
    ],
    [
      "audit_logs",
      `insert into audit_logs (action_type, user_id, user_email, ip_address, details, created_at)
        select 'update_payment_status', decided_by, decided_by || '@seeded.example', '203.0.113.7',
          jsonb_build_object('paymentId', id, 'projectId', project_id, 'title', project_title,
            'amountKobo', amount_kobo::text, 'before', 'pending', 'after', status), decided_at
        from project_payments where status <> 'pending' order by decided_at`,
    ],
    [
      "ledger_transactions",
      `insert into ledger_transactions (id, kind, payment_id, project_id, project_title, round, user_id, actor_id, created_at)
        overriding system value
        select id, 'approval', id, project_id, project_title, 1, user_id, decided_by, decided_at
        from project_payments where status = 'approved'`,
    ],
    [
      "ledger_entries",
      `insert into ledger_entries (transaction_id, account, payment_id, project_id, round, amount_kobo)
        select p.id, account, case when sign > 0 then p.id end, case when sign < 0 then p.project_id end, case when sign < 0 then p.round end, sign * p.amount_kobo
        from project_payments p, (values ('in_transit', 1), ('project_funding', -1)) side (account, sign) where p.status = 'approved'`,
    ],
    ...bankFills(n),
  ];
  return fills.map(([table, fill]) => ({ table, fill }));
}
