import { linkOptions } from "@tanstack/react-router";
import { can, type Viewer } from "#client/lib/session/session.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";

export type ShownNotification = RouterOutputs["notifications"]["list"]["items"][number];

/** The tab of a backed project's page that shows what the notification is about. */
const tabOf = { admin_message: "messages", backer_message: "messages", project_media: "media" } as const;

/**
 * Where a notification leads: owners and managers to the project's management, others to its page for backers
 * (specification, section 4). Whoever doesn't back the project (any more) would find nothing there: a payment's
 * notification leads them to their payments, any other to the public page.
 */
export function notificationTarget({ kind, projectId, isBacked }: ShownNotification, viewer: Viewer) {
  if (projectId === null) {
    return viewer.isAdmin
      ? linkOptions({ to: "/admin/dashboard" })
      : linkOptions({ to: "/profile", search: { tab: "pending" } });
  }
  const params = { id: String(projectId) };
  const tab = kind in tabOf ? tabOf[kind as keyof typeof tabOf] : undefined;
  if (can(viewer, "projects:edit")) return linkOptions({ to: "/project-updates/$id", params, search: { tab } });
  if (viewer.isAdmin || isBacked) return linkOptions({ to: "/backed-project/$id", params, search: { tab } });
  if (kind === "payment_status") return linkOptions({ to: "/profile", search: { tab: "pending" } });
  return linkOptions({ to: "/project/$id", params });
}
