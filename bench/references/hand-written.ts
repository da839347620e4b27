import { createHash } from "node:crypto";
import Fastify, { type FastifyRequest } from "fastify";
import postgres from "postgres";

/**
 * The answers of the product written by hand, field for field: Fastify and postgres.js, one prepared statement for each
 * thing that is asked, no validation, no framework of calls, no headers. What the product says of lots, holds, terms, money
 * and the bank is read here too.
 */
const sql = postgres(process.env.DATABASE_URL ?? "", { max: 10 });
const app = Fastify();
const DAY_MS = 86_400_000;
/** Lagos is one hour ahead of UTC all year. */
const LAGOS_MS = 3_600_000;

app.get<{ Params: { id: number } }>("/project/:id", async ({ params }) => {
  const [found] = await sql`
    select p.id, p.title, p.category, p.image_url, p.image_alt, p.location, p.funding_goal_kobo, p.current_funding_kobo,
      p.backers_count, p.ends_at, p.is_closed, p.short_description, p.description, p.video_url, p.creator, p.rewards,
      r.lots, r.lot_price_kobo, r.approved_lots, r.outcome, r.decided_at, t.version, t.text, t.unit, t.planned_quantity,
      t.planned_harvests, t.first_harvest_on, t.farm_part_rate, held.lots as held_lots, held.free_at,
      exists (select from project_payments a where a.project_id = p.id and a.status = 'pending') as is_under_review,
      (select value from settings where key = 'requiresigninforprojects') as requires_sign_in,
      case when r.outcome = 'funded' then (
        select json_build_object('counted', count(*), 'lost', count(*) filter (where h.state = 'lost'),
          'paidKobo', (coalesce(sum(paid.kobo), 0))::text, 'collected', (coalesce(sum(part.taken), 0))::text)
        from harvests h
          cross join lateral (select sum(o.amount_kobo) as kobo from settlements s join payouts o on o.settlement_id = s.id
            where s.harvest_id = h.id and o.kind = 'harvest' and o.state = 'paid') paid
          cross join lateral (select sum(c.taken) as taken from harvest_parts c
            where c.harvest_id = h.id and c.collected_at is not null) part
        where h.project_id = p.id and h.round = r.round and not h.is_insurance and h.state not in ('draft', 'withdrawn')
      ) end as progress,
      case when r.round > 1 or r.outcome = 'funded' then (
        select json_build_object('onTime', count(*) filter (where f.sent_at <= f.late_at and f.first_sent_at <= f.due_at + interval '48 hours'),
          'counted', count(*) filter (where f.sent_at is not null or (f.excused_at is null and f.late_at < now())),
          'lastAt', max(f.sent_at), 'fundedAt', f.decided_at, 'isOver', f.is_over, 'nextDueAt', min(greatest(f.due_at, f.sent_back_at))
            filter (where f.sent_at is null and f.excused_at is null and f.number > f.last))
        from (
          select w.*, funded.decided_at, greatest(w.due_at, w.sent_back_at) + interval '48 hours' as late_at,
            coalesce(max(w.number) filter (where w.sent_at is not null) over (), 0) as last,
            exists (select from round_weights o where o.project_id = w.project_id and o.round = w.round)
              and not exists (select from harvests h where h.project_id = w.project_id and h.round = w.round
                and h.state not in ('done', 'lost', 'withdrawn'))
              and (select count(*) from harvests h where h.project_id = w.project_id and h.round = w.round
                and h.state in ('done', 'lost') and not h.is_insurance) >= coalesce(agreed.planned_harvests, 1) as is_over
          from farm_reports w join project_rounds funded on funded.project_id = w.project_id and funded.round = w.round
            join round_terms agreed on agreed.project_id = w.project_id and agreed.round = w.round
              and agreed.version = funded.terms_version
          where w.project_id = p.id
            and w.round = (select max(l.round) from project_rounds l where l.project_id = p.id and l.outcome = 'funded')
        ) f group by f.decided_at, f.is_over
      ) end as reports
    from projects p
      join project_rounds r on r.project_id = p.id and r.round = p.round
      join round_terms t on t.project_id = p.id and t.round = r.round and t.version = r.terms_version
      cross join lateral (select coalesce(sum(h.lots), 0)::int as lots, min(h.until) as free_at from holds h
        where h.project_id = p.id and h.round = r.round
          and (h.state = 'claimed' or (h.state = 'live' and h.until > now()))) held
    where p.id = ${params.id}`;
  if (!found || found.requires_sign_in === "true") throw new Error("not found");
  const { ends_at, decided_at, held_lots, free_at, requires_sign_in: _, progress, reports, ...row } = found;
  const { version, text, unit, planned_quantity, planned_harvests, first_harvest_on, farm_part_rate, ...project } = row;
  const now = new Date();
  return {
    ...project,
    isFavorite: false,
    isBacked: false,
    terms: {
      version,
      clauses: (text as string).split("\n").slice(0, -1).map(clauseOf),
      plan: { unit, planned_quantity, planned_harvests, first_harvest_on, farm_part_rate },
    },
    held: { lots: held_lots, mine: 0, mineUntil: null, freeAt: free_at, now },
    progress: progress && {
      ...progress,
      week: 1 + Math.floor((now.getTime() - decided_at.getTime()) / (7 * DAY_MS)),
      planned: planned_harvests ?? 1,
      unit,
    },
    reports: reports && reportsOf(reports, now),
    daysLeft: Math.max(0, Math.ceil((ends_at.getTime() - now.getTime()) / DAY_MS)),
  };
});

function reportsOf(
  row: {
    onTime: number;
    counted: number;
    fundedAt: string;
    lastAt: string | null;
    nextDueAt: string | null;
    isOver: boolean;
  },
  now: Date,
) {
  const dayOf = (at: Date) => Math.floor((at.getTime() + LAGOS_MS) / DAY_MS);
  const lastAt = row.lastAt ? new Date(row.lastAt) : null;
  const nextDueAt = row.nextDueAt && !row.isOver ? new Date(row.nextDueAt) : null;
  const { onTime, counted } = row;
  return {
    onTime,
    counted,
    lastAt,
    nextDueAt,
    isLate: nextDueAt !== null && nextDueAt.getTime() + 2 * DAY_MS < now.getTime(),
    daysSince: dayOf(now) - dayOf(lastAt ?? new Date(row.fundedAt)),
  };
}

function clauseOf(line: string) {
  const [title, ...rest] = line.split(": ");
  return { title, text: rest.join(": ") };
}

const sessionOf = ({ headers }: FastifyRequest) =>
  createHash("sha256")
    .update(/session=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "")
    .digest("base64url");

app.get("/payments", async (request, reply) => {
  const [caller] = await sql`
    select p.id from sessions s join users p on p.id = s.user_id and p.is_admin and not p.is_blocked
    where s.id_hash = ${sessionOf(request)} and s.last_activity_at > now() - interval '1 hour'`;
  if (!caller) return reply.code(401).send();
  const [found, [standing]] = await Promise.all([readPayments(), readStanding(caller.id)]);
  const limit = standing?.are_two_owners
    ? { limitKobo: standing.limit_kobo as string, usedKobo: standing.used_kobo as string }
    : null;
  return {
    items: found
      .slice(0, 50)
      .map((row) => shown(row, { callerId: caller.id, limit, isBankKnown: standing?.is_bank_known })),
    nextCursor: found.length > 50 ? [found[49]?.created_at, found[49]?.id] : null,
    isBankKnown: standing?.is_bank_known,
    unseenLimit: limit,
    canProcess: true,
  };
});

const readPayments = () => sql`
  select pay.id, pay.created_at, pay.user_id, backer.full_name, backer.email, backer.closed_at, pay.refund_email,
    pay.project_id, coalesce(project.title, pay.project_title) as title, pay.round, pay.amount_kobo, pay.lots,
    sold.lots as round_lots, sold.outcome, sold.lots - sold.approved_lots < pay.lots as is_taken, pay.reference, pay.status,
    pay.rejection_reason, decider.full_name as decided_by, pay.decided_at, receipt.id as receipt_id, receipt.sha256,
    file.content_type, file.original_name, receipt.created_at as receipt_at,
    exists (select from payment_receipts o where o.sha256 = receipt.sha256 and o.payment_id <> pay.id) as is_used,
    given.refunds, given.refunded, approval.id is not null as is_approved, written.off, ledger.unallocated, ledger.owing,
    matched.lines, matched.taken_back, matched.is_unnamed, matched.last_at
  from (select * from project_payments order by created_at desc, id desc limit ${51}) pay
    left join payment_receipts receipt on receipt.id = pay.current_receipt_id
    left join stored_files file on file.id = receipt.file_id
    left join users backer on backer.id = pay.user_id
    left join users decider on decider.id = pay.decided_by
    left join projects project on project.id = pay.project_id
    left join project_rounds sold on sold.project_id = pay.project_id and sold.round = pay.round
    left join ledger_transactions approval on approval.payment_id = pay.id and approval.kind = 'approval'
      and not exists (select from ledger_transactions r where r.reverses_id = approval.id)
    cross join lateral (select coalesce(sum(amount_kobo), 0)::bigint as off from ledger_entries
      where transaction_id = approval.id and account = 'bank_charges') written
    cross join lateral (select coalesce(-sum(amount_kobo) filter (where account = 'unallocated'), 0)::bigint as unallocated,
        coalesce(sum(amount_kobo) filter (where account in ('in_transit', 'receivable')), 0)::bigint as owing
      from ledger_entries where payment_id = pay.id and account in ('unallocated', 'in_transit', 'receivable')) ledger
    cross join lateral (select coalesce(json_agg(distinct line_id), '[]') as lines,
        coalesce(bool_or(kind in ('taken_back', 'loss')), false) as taken_back,
        coalesce(bool_or(kind = 'payment' and not is_named), false) as is_unnamed,
        max(created_at) filter (where kind = 'payment') as last_at
      from line_matches where payment_id = pay.id and undone_at is null) matched
    cross join lateral (select coalesce(json_agg(json_build_object('id', id, 'amountKobo', amount_kobo::text, 'reason', reason,
        'createdAt', created_at) order by id), '[]') as refunds, coalesce(sum(amount_kobo), 0)::bigint as refunded
      from refunds where payment_id = pay.id and taken_back_at is null) given
  order by pay.created_at desc, pay.id desc`;

/** Reads whether statements are imported, and how much the caller has approved without them. */
const readStanding = (userId: string) => sql`
  select exists (select from own_accounts where opened_on is not null) as is_bank_known,
    (select count(*) > 1 from owner_terms where until is null or until > now() - interval '7 days') as are_two_owners,
    coalesce((select value from settings where key = 'secondperson'), '1000000') || '00' as limit_kobo,
    (select coalesce(sum((details->>'missingKobo')::bigint - (details->>'writtenOffKobo')::bigint), 0) from audit_logs
      where action_type = 'update_payment_status' and user_id = ${userId} and created_at > now() - interval '30 days'
        and details->>'after' = 'approved' and details ? 'unseenReason' and not details ? 'requestId') as used_kobo`;

type Standing = { callerId: string; limit: { limitKobo: string; usedKobo: string } | null; isBankKnown: boolean };

function shown(row: postgres.Row, { callerId, limit, isBankKnown }: Standing) {
  const {
    is_approved,
    off,
    owing,
    unallocated,
    refunded,
    last_at,
    taken_back,
    lines,
    is_unnamed,
    closed_at,
    ...payment
  } = row;
  const { receipt_id, sha256, content_type, original_name, receipt_at, is_used, outcome, is_taken, user_id, ...rest } =
    payment;
  const amount = BigInt(row.amount_kobo);
  const arrived = amount - BigInt(off) - BigInt(owing);
  const short = amount - BigInt(unallocated) - BigInt(refunded);
  const missing = is_approved ? BigInt(owing) : short > 0n ? short : 0n;
  const state =
    taken_back && missing > 0n ? "taken_back" : missing === 0n ? "in_bank" : missing < amount ? "part" : "not_seen";
  const unseen = limit && BigInt(limit.usedKobo) + missing >= BigInt(limit.limitKobo) ? "second_person" : "reason";
  const isOpen = row.status === "pending";
  return {
    ...rest,
    isAccountClosed: closed_at !== null,
    refundDue: row.refunds.at(-1)?.reason ?? (isOpen && (outcome ?? is_taken) ? "project_taken" : null),
    refundKobo: row.refunds.length > 0 ? refunded : null,
    receipt: receipt_id && { receipt_id, sha256, content_type, original_name, receipt_at, is_used },
    bank: isBankKnown && {
      state,
      arrivedKobo: String(is_approved ? arrived : amount - missing),
      missingKobo: String(missing),
      surplusKobo: is_approved ? unallocated : "0",
      returnableKobo: is_approved ? String(arrived) : unallocated,
      smallRestKobo: missing <= 10_000n && arrived > 0n ? String(missing) : "0",
      need: missing === 0n ? "nothing" : unseen,
      lineIds: lines,
      isUnnamed: is_unnamed,
    },
    heldKobo: unallocated,
    restBy: isOpen && state === "part" ? new Date(last_at.getTime() + 7 * DAY_MS) : null,
    ownDecider: user_id === callerId ? "another" : null,
  };
}

await sql`select 1`;
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? "127.0.0.1" });
console.log("listening");
