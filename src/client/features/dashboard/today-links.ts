import { linkOptions } from "@tanstack/react-router";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import type { TodayKind } from "#shared/today/lines.ts";

/** The tables of other pages that show what a line counts. All others are listed at /admin/today. */
const tables = {
  receipts: linkOptions({ to: "/admin/payments" }),
  sure_payments: linkOptions({ to: "/admin/bank" }),
  requests: linkOptions({ to: "/admin/dashboard", hash: "second-person" }),
  contact: linkOptions({ to: "/admin/messages", search: { show: "unread" } }),
  applicants: linkOptions({ to: "/admin/applicants", search: { status: "new" } }),
};

/** Where what a line counts is listed. */
export const listLink = (kind: TodayKind) =>
  kind in tables ? tables[kind as keyof typeof tables] : linkOptions({ to: "/admin/today", search: { line: kind } });

export type TodayItem = RouterOutputs["dashboard"]["todayItems"]["items"][number];

/** Where one of a line is worked on; null for what has no place of its own. */
export function itemLink(kind: TodayKind, { key, title, projectId }: TodayItem) {
  const ofProject = (tab?: "money" | "harvests" | "messages") =>
    linkOptions({ to: "/project-updates/$id", params: { id: String(projectId) }, search: { tab } });
  switch (kind) {
    case "unseen_payments":
      return linkOptions({ to: "/admin/payments", search: { status: "approved", search: title.split(":")[0] } });
    case "unexplained_lines":
      return linkOptions({ to: "/admin/bank", search: { line: Number(key) } });
    case "missing_statements":
      return linkOptions({ to: "/admin/bank", search: { account: Number(key) } });
    case "runs_to_approve":
    case "runs_to_void":
    case "runs_to_export":
    case "runs_to_give":
      return linkOptions({ to: "/admin/payouts", search: { tab: "runs", run: Number(key) } });
    case "unseen_payouts":
      return linkOptions({ to: "/admin/payouts", search: { tab: "sent" } });
    case "failed_payouts":
    case "overdue_payouts":
      return linkOptions({ to: "/admin/payouts" });
    case "missing_accounts":
      return linkOptions({ to: "/admin/payouts", search: { tab: "waiting" } });
    case "old_drafts":
    case "choosing_ends":
    case "produce_waiting":
    case "sales_to_settle":
      return ofProject("harvests");
    case "money_to_release":
    case "parts_asked":
      return ofProject("money");
    case "told_pasts":
      return linkOptions({ to: "/admin/farms/$id", params: { id: key.split(":")[0] ?? "" } });
    case "messages":
      return ofProject("messages");
    default:
      return projectId === null ? null : ofProject();
  }
}
