/** What a payment can be. Apart from the texts: the address of the payments table is read in the first load. */
export const paymentStatuses = ["pending", "approved", "rejected"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentStatusLabels: Record<PaymentStatus, string> = {
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
};
