/** A payment's statuses. Separate from the texts, because the first load parses the payments table's address. */
export const paymentStatuses = ["pending", "approved", "rejected"] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentStatusLabels: Record<PaymentStatus, string> = {
  pending: "Pending",
  approved: "Approved",
  rejected: "Rejected",
};

/** The states of a payment by the bank's statements. */
export const bankStates = ["in_bank", "not_seen", "part", "taken_back", "struck"] as const;
export type BankState = (typeof bankStates)[number];
export const bankStateLabels: Record<BankState, string> = {
  in_bank: "In the bank",
  not_seen: "Not on a statement yet",
  part: "Part",
  taken_back: "Reversed by the bank",
  struck: "Struck",
};
