import type { NotificationKind } from "./inputs.ts";

/** Texts, limits and addresses of notifications. No schema is here, to keep the header's chunk small. */

export const notificationTexts = {
  none: "No notifications",
  unavailable: "Unable to fetch notifications",
  noTitle: "No title",
  noContent: "No content",
  unknownDate: "Unknown date",
  brokenLink: "This link doesn't work any more. You can choose your emails in your account settings.",
} as const;

/** From the specification, section 9. */
export const notificationLimits = { newest: 5, badge: 99, page: 20, pollMs: 60_000 } as const;

/** The page that a mail's link opens. A mail program's own button posts to the same address (RFC 8058). */
export const unsubscribePath = "/unsubscribe";

/** The email settings, for links in mails and pages. */
export const mailSettingsPath = "/profile/account#emails";

/** The name of each kind of email, and when it is sent. */
export const kindTexts: Record<NotificationKind, { label: string; when: string }> = {
  project_update: { label: "Project updates", when: "A report on a project that you back is published." },
  project_media: { label: "Photos and videos", when: "A project that you back shows something new." },
  admin_message: { label: "Messages from our team", when: "Our team writes about a project that you back." },
  backer_message: { label: "Messages from backers", when: "A backer writes about a project." },
  project_closed: { label: "Closed projects", when: "A project that you back closes." },
  project_reopened: { label: "Reopened projects", when: "A project that you back opens again." },
  receipt_submitted: { label: "Receipts to review", when: "A backer sends a payment receipt." },
  farm_report: { label: "Farms' reports", when: "A farm sends a report, or doesn't, or enters a harvest or a cost." },
  second_person: {
    label: "Second person",
    when: "An owner asks for a second person or decides on your request, or money waits for an owner.",
  },
  saved_search: { label: "Your saved searches", when: "A new farm fits a search that you saved: at most once a day." },
  farm_past: {
    label: "Your farm's earlier years",
    when: "An owner decides on what your farm tells of the years before this site.",
  },
  payment_status: { label: "Your payments", when: "We decide on a payment of yours." },
  harvest: { label: "Your harvests", when: "A farm that you back has harvested, or its harvest was sold." },
};
