import { oneMailPerEvent } from "#server/books/checks/i08-one-mail-per-event.ts";
import { paymentBooks } from "#tests/support/books.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { testInvariant } from "#tests/support/planted.ts";

const deps = await openTestDeps();
await paymentBooks(deps);

testInvariant(deps, oneMailPerEvent, [
  [
    "several notifications of one event to one person",
    "alter table notifications drop constraint notifications_one_per_event",
    `insert into notifications (user_id, kind, title, content, event_key)
        select user_id, kind, title, content, event_key from notifications`,
  ],
  [
    "several mails of one event to one recipient",
    "alter table outgoing_mails drop constraint outgoing_mails_one_per_event",
    `insert into outgoing_mails (event_key, recipient, subject, text, html, message_id)
        select event_key, recipient, subject, text, html, message_id || '2' from outgoing_mails`,
  ],
  ["payment notification without a mail", "delete from outgoing_mails"],
  ["status change that its backer was not told of", "delete from notifications where kind = 'payment_status'"],
]);
