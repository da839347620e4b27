/** What happened, per kind; security and payment mails can't be switched off. */
export const notificationKinds = [
  "project_update",
  "project_media",
  "admin_message",
  "backer_message",
  "project_closed",
  "project_reopened",
  "receipt_submitted",
  "payment_status",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Payment mails to a backer: nobody can switch them off, and they go first. */
export const alwaysMailedKinds: readonly NotificationKind[] = ["payment_status"];
