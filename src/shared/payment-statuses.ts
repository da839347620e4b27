/** A payment's statuses. Separate from the texts, because the first load parses the payments table's address. */
export const paymentStatuses = ["pending", "approved", "rejected"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentStatusLabels: Record<PaymentStatus, string> = {
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
};
