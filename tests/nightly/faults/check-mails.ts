import { type SQL, sql } from "drizzle-orm";
import { rows } from "#server/db/open.ts";
import type { CheckResult, Remains } from "./checker.ts";
import type { FaultRecord } from "./history.ts";

/** Every event's mail came; none twice but for a send that a fault cut off; none of what never happened. */
export async function checkMails({ db, cluster, world, faults }: Remains) {
  const outbox = await rows<{ id: string; messageId: string; isDone: boolean; eventKey: string }>(
    db,
    sql`select id, message_id as "messageId", event_key as "eventKey", sent_at is not null or refusal is not null as "isDone"
      from outgoing_mails`,
  );
  const arrivals = Map.groupBy(cluster.mail.messages, ({ messageId }) => messageId ?? "");
  const known = new Set(outbox.map(({ messageId }) => messageId));
  const missing = outbox.filter(({ messageId, isDone }) => !isDone || !arrivals.has(messageId));
  const strange = [...arrivals.keys()].filter((messageId) => !known.has(messageId));
  const list = async (query: SQL) => (await rows<{ finding: string }>(db, query)).map(({ finding }) => finding);
  const reviewers = JSON.stringify(world.reviewers);
  const untold = await list(sql`
    select 'receipt ' || r.id || ' for ' || reviewer as finding
    from payment_receipts r, json_array_elements_text(${reviewers}::json) reviewer
    where not exists (
      select from outgoing_mails m where m.event_key = 'receipt:' || r.id and m.recipient = reviewer)`);
  const untoldOfMoney = await list(sql`
    with promised as (
      select 'harvest:' || s.harvest_id || ':settled:' || s.number as event, p.user_id
      from settlements s join settlement_parts p on p.settlement_id = s.id and p.net_kobo > 0
      union
      select 'payout:' || o.id || ':sent', o.user_id from payouts o where o.user_id is not null
        and exists (select from payout_runs r where r.id = o.run_id and r.given_at is not null)
      union
      select 'refund:' || (a.details->>'refundId') || ':due', (a.details->>'backerId')::uuid
      from audit_logs a where a.action_type = 'make_refund_due'
    )
    select event || ' for ' || u.email as finding from promised join users u on u.id = promised.user_id
    where not exists (select from outgoing_mails m where m.event_key = event and m.recipient = u.email)`);
  const baseless = await list(sql`
    select 'mail ' || m.id || ' of ' || m.event_key as finding from outgoing_mails m
    where m.event_key not like 'payee_account:%' and m.event_key not like 'alarm:%'
      and m.event_key not like 'match:%:owners' and not exists (
      select from notifications n join users u on u.id = n.user_id
      where n.event_key = m.event_key and u.email = m.recipient)
    union all
    select 'mail ' || m.id || ' of ' || m.event_key from outgoing_mails m
    where m.event_key like 'payee_account:%' and not exists (
      select from payee_accounts a where 'payee_account:' || a.id = m.event_key)
    union all
    select 'mail ' || m.id || ' of ' || m.event_key from outgoing_mails m
    where m.event_key like 'alarm:%' and not exists (select from alarms a where 'alarm:' || a.id = m.event_key)
    union all
    -- All owners are mailed, by no notification, of money that an approved payment lost.
    select 'mail ' || m.id || ' of ' || m.event_key from outgoing_mails m
    where m.event_key like 'match:%:owners' and not exists (
      select from line_matches l where l.id = split_part(m.event_key, ':', 2)::bigint
        and case split_part(m.event_key, ':', 3) when 'undone' then l.undone_at is not null else l.kind = 'taken_back' end)
    union all
    -- The check of the books runs at the 37th minute of an hour, perhaps during this run. Charges that the platform bears
    -- may then be more than it has (I18). Nothing else is ever wrong.
    select 'alarm ' || a.id || ': ' || a.name from alarms a where a.name not like 'I18 %'
    union all
    select 'notification ' || n.id || ' of ' || n.event_key from notifications n
    where (n.event_key like 'receipt:%' and not exists (
        select from payment_receipts r where 'receipt:' || r.id = n.event_key))
      or (n.event_key like 'payment:%' and not exists (
        select from audit_logs a where a.id = split_part(n.event_key, ':', 4)::bigint))
      or (n.event_key like 'refund:%' and not exists (
        select from refunds r where r.id = split_part(n.event_key, ':', 2)::bigint))
      or (n.event_key like 'payout_run:%' and not exists (
        select from payout_runs r where r.id = split_part(n.event_key, ':', 2)::bigint))
      or (n.event_key like 'harvest:%' and not exists (
        select from harvests h where h.id = split_part(n.event_key, ':', 2)::bigint))`);
  const extras = [...arrivals.values()].flatMap((copies) => pairsOf(copies.map(({ receivedAt }) => receivedAt)));
  const checks: CheckResult[] = [
    { name: "every mail was sent, and arrived", findings: missing.map((row) => JSON.stringify(row)) },
    { name: "every receipt was mailed to those who review it", findings: untold },
    { name: "everybody was mailed of their refund, their payout and their settlement", findings: untoldOfMoney },
    {
      name: "no mail of what didn't happen",
      findings: [...strange.map((id) => `arrived without a row: ${id}`), ...baseless],
    },
    { name: "a mail came once more only where a fault cut off its sending", findings: unexplained(extras, faults) },
  ];
  return { checks, mails: { rows: outbox.length, arrived: cluster.mail.messages.length, extra: extras.length } };
}

type Extra = { from: number; to: number };

/** Every further copy, with the time between it and the one before, by the clock of the faults. */
function pairsOf(receivedAt: number[]): Extra[] {
  const times = receivedAt.map((at) => performance.timeOrigin + at).sort((one, other) => one - other);
  return times.slice(1).map((to, index) => ({ from: times[index] ?? to, to }));
}

/** A busy test notes what it hears a little late. */
const slackMs = 3000;

/** Each fault explains as many extra copies as it can have cut off sends; the earliest fault that fits is used up first. */
function unexplained(extras: Extra[], faults: readonly FaultRecord[]): string[] {
  const left = faults.map((fault) => ({ ...fault }));
  return extras
    .toSorted((one, other) => one.to - other.to)
    .flatMap(({ from, to }) => {
      const cause = left.find(
        (fault) => fault.sendsCut > 0 && fault.endedAt >= from - slackMs && fault.startedAt <= to,
      );
      if (!cause) return [`a further copy ${Math.round(to - from)} ms after the one before`];
      cause.sendsCut -= 1;
      return [];
    });
}
