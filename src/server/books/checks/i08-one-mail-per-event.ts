import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * One outgoing mail per event and recipient.
 *
 * Each decision on a payment is told to its backer once. A finding means that somebody was told twice, or never.
 */
export const oneMailPerEvent: Invariant = {
  name: "I8 one outgoing mail per event and recipient",
  query: () => sql`
    select 'several mails of one event to one recipient' as violation,
      jsonb_build_object('eventKey', event_key, 'mailIds', ids) as row
    from (select event_key, recipient from outgoing_mails group by event_key, recipient having count(*) > 1) twice,
      lateral (select jsonb_agg(id order by id) as ids from outgoing_mails m
        where m.event_key = twice.event_key and m.recipient = twice.recipient) of_event
    union all
    select 'several notifications of one event to one person',
      jsonb_build_object('eventKey', event_key, 'notificationIds', ids)
    from (select user_id, event_key from notifications group by user_id, event_key having count(*) > 1) twice,
      lateral (select jsonb_agg(id order by id) as ids from notifications n
        where n.user_id = twice.user_id and n.event_key = twice.event_key) of_event
    union all
    select 'payment notification without a mail', jsonb_build_object('notificationId', n.id, 'eventKey', n.event_key)
    from notifications n
    where n.kind = 'payment_status' and not n.email_sent
      and not exists (select from outgoing_mails m where m.notification_id = n.id)
    union all
    select 'status change that its backer was not told of',
      jsonb_build_object('auditId', a.id, 'paymentId', p.id, 'after', a.details->>'after')
    from audit_logs a
      join project_payments p on p.id = (a.details->>'paymentId')::bigint
      join users u on u.id = p.user_id and u.closed_at is null
    where a.action_type = 'update_payment_status' and not exists (
      select from notifications n where has_held(p.id, n.user_id)
        and n.event_key = 'payment:' || p.id || ':' || (a.details->>'after') || ':' || a.id)
      -- Whoever held it then may have closed their account since.
      and not exists (
        select from holder_change_payments m join holder_changes c on c.id = m.change_id and c.outcome = 'carried_out'
          join users o on o.id = c.from_user_id and o.closed_at is not null
        where m.payment_id = p.id and c.ended_at >= a.created_at)`,
};
