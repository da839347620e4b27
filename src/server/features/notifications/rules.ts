import { createHmac, timingSafeEqual } from "node:crypto";
import type { ActorContext } from "#server/platform/context.ts";
import { deriveKey } from "#server/platform/secret.ts";
import {
  alwaysMailedKinds,
  isAlwaysMailed,
  type NotificationKind,
  notificationKinds,
} from "#shared/notifications/inputs.ts";

/** The account and kind of mails that a link switches. */
type MailLink = { userId: string; kind: NotificationKind };

/**
 * Returns a signer of such links; create it once for many mails. Links never expire, because people keep mails for
 * years.
 */
export function mailLinkSigner(appSecret: string): (link: MailLink) => string {
  const key = deriveKey(appSecret, "unsubscribe");
  return ({ userId, kind }) => {
    const claim = `${userId}.${kind}`;
    return `${claim}.${createHmac("sha256", key).update(claim).digest("base64url")}`;
  };
}

/** Reads a genuine token, or returns null. It only grants switching these mails off and on. */
export function readMailLink(appSecret: string, token: string): MailLink | null {
  const [userId = "", name = ""] = token.split(".");
  const kind = notificationKinds.find((known) => known === name);
  if (!kind || isAlwaysMailed(kind)) return null;
  const wanted = Buffer.from(mailLinkSigner(appSecret)({ userId, kind }));
  const given = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? { userId, kind } : null;
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
