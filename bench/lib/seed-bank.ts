/**
 * The statements that seed the bank: twice as many lines as there are projects, of one account. Of approved payments eight
 * in ten are seen whole and one in half, of pending ones five and two. Most other lines are the company's own money, and
 * a tenth of them nobody has explained yet. Ids of lines, matches and postings follow from those of the payments.
 */
export function bankFills(rows: number): [table: string, fill: string][] {
  const n = rows;
  return [
    [
      "own_accounts",
      `insert into own_accounts (id, bank_name, account_name, account_number, is_active, opened_on, opening_kobo, created_at)
        overriding system value values (1, 'Access Bank', 'Gona', '0123456789', true, current_date - 1200, 0, now() - interval '1200 days')`,
    ],
    [
      "stored_files",
      `insert into stored_files (id, kind, storage_key, sha256, bytes, content_type, original_name, uploaded_by)
        values (pg_temp.uuid_of('statement'), 'statement', 'statement/' || md5('1'), encode(sha256('1'), 'hex'), 1000, 'text/csv',
          'statement.csv', pg_temp.person(1))`,
    ],
    [
      "statement_lines",
      `insert into statement_lines (id, own_account_id, statement_id, row, position, date, amount_kobo, narration, reference,
          is_reversal, fingerprint, repetition, matched_kobo)
        overriding system value
        select id, 1, 1, row_number() over (order by date, id), row_number() over (order by date, id), date, kobo, narration,
          reference, false, md5('line' || id), 0, case when is_matched then kobo else 0 end
        from (
          select id, (created_at + interval '1 day')::date as date, reference, 'NIP ' || reference || ' ' || project_title as narration,
            case when seen < whole then amount_kobo else amount_kobo / 2 end as kobo, true as is_matched
          from project_payments p, lateral (select pg_temp.chance(id, 61) as seen, case status when 'approved' then 0.8 else 0.5 end as whole) drawn
          where status <> 'rejected' and seen < whole + case status when 'approved' then 0.1 else 0.2 end
          union all
          select id, (now() - interval '1095 days' * pg_temp.chance(id, 62))::date, null, 'TRANSFER ' || md5(id::text),
            100 * (1 + id % 99991), pg_temp.chance(id, 63) < 0.9
          from generate_series(${n}::bigint + 1, ${Math.floor(n * 2.45)}) id
        ) told`,
    ],
    [
      "statements",
      `insert into statements (id, own_account_id, file_id, file_name, sha256, bytes, format, first_day, last_day, lines, new_lines,
          pending_entries, opening_kobo, imported_by)
        overriding system value
        select 1, 1, pg_temp.uuid_of('statement'), 'statement.csv', encode(sha256('1'), 'hex'), 1000, 'csv', min(date), max(date),
          count(*), count(*), 0, 0, pg_temp.person(1) from statement_lines`,
    ],
    [
      "line_matches",
      `insert into line_matches (id, line_id, kind, amount_kobo, payment_id, rule, reason, made_by)
        overriding system value
        select l.id, l.id, case when p.id is null then 'operator' else 'payment' end, matched_kobo, p.id,
          case when p.id is not null then 'our_reference' end, case when p.id is null then 'Own money.' end, pg_temp.person(1)
        from statement_lines l left join project_payments p on p.id = l.id and l.id <= ${n} where matched_kobo > 0`,
    ],
    [
      "ledger_transactions",
      `insert into ledger_transactions (id, kind, line_id, actor_id)
        overriding system value select id + ${10 * n}, 'line', id, pg_temp.person(1) from statement_lines`,
    ],
    [
      "ledger_transactions",
      `insert into ledger_transactions (id, kind, match_id, payment_id, project_id, project_title, round, user_id, actor_id)
        overriding system value
        select m.id + ${20 * n}, 'match', m.id, p.id, p.project_id, p.project_title, p.round, p.user_id, pg_temp.person(1)
        from line_matches m left join project_payments p on p.id = m.payment_id`,
    ],
    [
      "ledger_entries",
      `insert into ledger_entries (transaction_id, account, own_account_id, line_id, amount_kobo)
        select id + ${10 * n}, account, case account when 'bank' then 1 end, case account when 'unmatched_in' then id end, sign * amount_kobo
        from statement_lines, (values ('bank', 1), ('unmatched_in', -1)) side (account, sign)`,
    ],
    [
      "ledger_entries",
      `insert into ledger_entries (transaction_id, account, line_id, payment_id, amount_kobo)
        select m.id + ${20 * n}, account, case when sign > 0 then m.line_id end, case when sign < 0 then m.payment_id end, sign * m.amount_kobo
        from line_matches m left join project_payments p on p.id = m.payment_id, lateral (values ('unmatched_in', 1),
          (case when p.id is null then 'operator' when p.status = 'approved' then 'in_transit' else 'unallocated' end, -1)) side (account, sign)`,
    ],
  ];
}
