import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { contactMessages } from "#server/db/schema/team.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { latestFirst, pageOf } from "#server/platform/keyset.ts";
import type { listContactMessagesInput } from "#shared/contact/inputs.ts";
import { contactInboxPageSize, contactInboxTexts } from "#shared/contact/texts.ts";

const order = latestFirst(contactMessages.createdAt, contactMessages.id, "bigint");
const isRead = sql<boolean>`${contactMessages.readAt} is not null`;
/** Condition of the messages that nobody has read. */
export const isUnread = isNull(contactMessages.readAt);
const EXCERPT_LENGTH = 160;

/** The list of /admin/messages, newest first, with the beginning of each message. */
export async function listContactMessages({ db }: ActorContext, input: z.output<typeof listContactMessagesInput>) {
  const wanted = { true: isNotNull(contactMessages.readAt), false: isUnread };
  const found = await db
    .select({
      id: contactMessages.id,
      name: contactMessages.name,
      excerpt: sql<string>`left(${contactMessages.message}, ${EXCERPT_LENGTH})`,
      isRead,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(and(typeof input.isRead === "boolean" ? wanted[`${input.isRead}`] : undefined, order.after(input.cursor)))
    .orderBy(...order.by)
    .limit(contactInboxPageSize + 1);
  return pageOf(found, contactInboxPageSize, (last) => order.cursorOf(last.createdAt, last.id));
}

export async function countContactMessages({ db }: ActorContext): Promise<{ all: number; unread: number }> {
  const [counts] = await db
    .select({
      all: sql<number>`count(*)::int`,
      unread: sql<number>`count(*) filter (where ${contactMessages.readAt} is null)::int`,
    })
    .from(contactMessages);
  return counts ?? { all: 0, unread: 0 };
}

/** One whole message. Throws "not_found". */
export async function getContactMessage({ db }: ActorContext, { messageId }: { messageId: number }) {
  const { id, name, email, phone, message, createdAt } = contactMessages;
  const [found] = await db
    .select({ id, name, email, phone, message, isRead, createdAt })
    .from(contactMessages)
    .where(eq(id, messageId));
  if (!found) throw new AppError("not_found", contactInboxTexts.gone);
  return found;
}
