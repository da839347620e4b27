import type { ActorContext } from "#server/platform/context.ts";
import { readClaim, signClaim } from "#server/platform/secret.ts";
import {
  alwaysMailedKinds,
  isAlwaysMailed,
  type NotificationKind,
  notificationKinds,
} from "#shared/notifications/inputs.ts";

/** The account and kind of mails that a link switches. */
type MailLink = { userId: string; kind: NotificationKind };

const purpose = "unsubscribe";

/** The token of such a link. It never expires, because people keep mails for years. */
export const signMailLink = (appSecret: string, { userId, kind }: MailLink): string =>
  signClaim(appSecret, purpose, `${userId}.${kind}`);

/** Reads a genuine token, or returns null. It only grants switching these mails off and on. */
export function readMailLink(appSecret: string, token: string): MailLink | null {
  const [userId = "", name] = readClaim(appSecret, purpose, token)?.split(".") ?? [];
  const kind = notificationKinds.find((known) => known === name);
  return kind && !isAlwaysMailed(kind) ? { userId, kind } : null;
}

type Person = Pick<ActorContext["actor"], "permissions"> & { isKeeper: boolean };

/** The kinds that can be mailed to the person, in the order of the settings. */
export function mailedKindsOf({ permissions, isKeeper }: Person): NotificationKind[] {
  const someOnly: Partial<Record<NotificationKind, boolean>> = {
    backer_message: permissions.includes("projects:edit"),
    receipt_submitted: permissions.includes("payments:view"),
    farm_report: permissions.includes("projects:edit"),
    second_person: permissions.includes("payments:process"),
    farm_past: isKeeper,
  };
  return [...alwaysMailedKinds, ...notificationKinds.filter((kind) => !isAlwaysMailed(kind))].filter(
    (kind) => someOnly[kind] ?? true,
  );
}
