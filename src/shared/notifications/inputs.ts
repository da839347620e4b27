import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { cursorInput } from "#shared/pagination.ts";

/** The kinds of notifications. Security and payment mails can't be switched off. */
export const notificationKinds = [
  "project_update",
  "project_media",
  "admin_message",
  "backer_message",
  "project_closed",
  "project_reopened",
  "receipt_submitted",
  "farm_report",
  "second_person",
  "payment_status",
  "harvest",
  "saved_search",
  "farm_past",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/**
 * Mails about a backer's money and harvests, and about what takes two owners: they can't be switched off, and are sent
 * first.
 */
export const alwaysMailedKinds = ["payment_status", "harvest", "second_person"] as const satisfies NotificationKind[];

export const isAlwaysMailed = (kind: NotificationKind): boolean => alwaysMailedKinds.some((always) => always === kind);

const switchableKind = z.enum(notificationKinds).exclude([...alwaysMailedKinds]);

export const listNotificationsInput = cursorInput;
export const notificationIdInput = z.object({ notificationId: rowId });
/** The newest notification that the person has seen; later ones stay unread. */
export const markAllReadInput = z.object({ upToId: rowId });
export const mailPreferenceInput = z.object({ kind: switchableKind, isMailed: z.boolean() });

/** The token of a link in a mail. */
const token = z.string().max(200);
export const mailLinkInput = z.object({ token });
export const mailLinkPreferenceInput = z.object({ token, isMailed: z.boolean() });
