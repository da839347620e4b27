import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/open.ts";
import { type NotifyDeps, notify } from "#server/features/notifications/service.ts";
import type { NotificationKind } from "#shared/notifications/inputs.ts";

let made = 0;

/** Tells people of an event that never happened. Gives its name. */
export async function tell(
  deps: NotifyDeps & { db: Db },
  userIds: string[],
  notice: {
    kind?: NotificationKind;
    projectId?: number | null;
    title?: string;
    content?: string;
    eventKey?: string;
  } = {},
): Promise<string> {
  made += 1;
  const { kind = "project_update", projectId = null, title = `Report ${made}`, content = "The pond is full." } = notice;
  const eventKey = notice.eventKey ?? `test:${made}`;
  const mail = ({ fullName }: { fullName: string }) => ({
    subject: title,
    content: { title, paragraphs: [`Dear ${fullName},`, content] },
  });
  await inTransaction(deps.db, (tx) => notify(tx, deps, { kind, projectId, title, content, mail, userIds, eventKey }));
  return eventKey;
}
