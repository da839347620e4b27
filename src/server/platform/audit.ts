import type { Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import type { Context } from "./context.ts";

/** The actions of administrators, named as the audit screen shows them. */
export type AuditAction =
  | "create_project"
  | "edit_project"
  | "close_project"
  | "reopen_project"
  | "clone_project"
  | "delete_project"
  | "add_project_update"
  | "add_backer"
  | "set_backing_weight"
  | "remove_backer"
  | "add_media"
  | "remove_media"
  | "update_payment_status"
  | "decide_round"
  | "make_refund_due"
  | "take_refund_back"
  | "declare_arrived"
  | "write_off_round"
  | "match_line"
  | "undo_match"
  | "book_loss"
  | "set_payee_account"
  | "enter_payee_account"
  | "set_farm_account"
  | "make_payout_run"
  | "approve_payout_run"
  | "void_payout_run"
  | "export_payout_run"
  | "download_payout_file"
  | "make_paper"
  | "mark_payout_paid"
  | "fail_payout"
  | "release_earlier_refund"
  | "declare_refund_transferred"
  | "release_to_farm"
  | "take_release_back"
  | "create_harvest"
  | "edit_harvest"
  | "open_harvest"
  | "lower_harvest"
  | "withdraw_harvest"
  | "lose_harvest"
  | "lose_costs"
  | "lose_rest"
  | "collect_produce"
  | "add_harvest_file"
  | "add_harvest_cost"
  | "count_harvest_cost"
  | "remove_harvest_cost"
  | "add_harvest_sale"
  | "remove_harvest_sale"
  | "declare_sale"
  | "take_back_sale"
  | "settle_harvest"
  | "reverse_settlement"
  | "finish_harvest"
  | "reduce_payment"
  | "ask_second_person"
  | "confirm_as_second_person"
  | "decline_as_second_person"
  | "withdraw_request"
  | "edit_terms"
  | "end_hold"
  | "extend_hold"
  | "add_own_account"
  | "change_own_account"
  | "activate_own_account"
  | "import_statement"
  | "update_applicant_status"
  | "admin_login"
  | "reset_password"
  | "change_password"
  | "change_name"
  | "change_email"
  | "link_google"
  | "unlink_google"
  | "close_account"
  | "create_admin"
  | "invite_admin"
  | "resend_admin_invite"
  | "remove_admin_invite"
  | "accept_admin_invite"
  | "add_role"
  | "remove_role"
  | "deactivate_admin"
  | "reactivate_admin"
  | "remove_admin"
  | "send_password_reset"
  | "block_user"
  | "unblock_user"
  | "end_sessions"
  | "add_setting"
  | "update_setting"
  | "export_audit_logs"
  | "export_table"
  | "two_factor_enabled"
  | "two_factor_disabled"
  | "two_factor_reset"
  | "recovery_codes_renewed"
  | "recovery_code_used";

/**
 * Writes the audit entry inside the caller's transaction: if it fails, the change is undone.
 * `details` hold the values before and after, as plain JSON; never secrets.
 * Returns the entry's id, which names the event that it records.
 */
export async function recordAudit(
  tx: Tx,
  by: Pick<Context, "clock"> & { actor: { id: string; email: string } | null; ipAddress: string | null },
  actionType: AuditAction,
  details: Record<string, unknown>,
): Promise<number> {
  const [entry] = await tx
    .insert(auditLogs)
    .values({
      actionType,
      userId: by.actor?.id ?? null,
      userEmail: by.actor?.email ?? null,
      details,
      ipAddress: by.ipAddress,
      createdAt: by.clock.now(),
    })
    .returning({ id: auditLogs.id });
  if (!entry) throw new Error("the audit entry was not written");
  return entry.id;
}
