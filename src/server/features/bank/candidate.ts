import type { statementLines } from "#server/db/schema/bank.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import type { MatchRule } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import type { PayoutState } from "#shared/payouts/texts.ts";

/** A line, and what is suggested for it. */

export type Line = typeof statementLines.$inferSelect;

/** What suggestions follow from. */
export type SuggestedLine = Pick<
  Line,
  | "ownAccountId"
  | "date"
  | "amountKobo"
  | "matchedKobo"
  | "narration"
  | "customerReference"
  | "bankReference"
  | "counterparty"
  | "reference"
  | "isReversal"
>;

export type CandidatePayment = {
  id: number;
  reference: string;
  backerName: string;
  projectTitle: string;
  amountKobo: Kobo;
  missingKobo: Kobo;
  status: PaymentStatus;
  hasReceipt: boolean;
};

export type CandidatePayout = {
  id: number;
  /** With its part, where the sum is paid by several transfers. */
  reference: string;
  payeeName: string;
  projectTitle: string;
  amountKobo: Kobo;
  state: PayoutState;
  runId: number | null;
};

export type CandidateSale = {
  id: number;
  buyer: string;
  projectTitle: string;
  round: number;
  number: number;
  isInsurance: boolean;
  amountKobo: Kobo;
  missingKobo: Kobo;
};

export type Candidate = {
  kind: LinePart["kind"];
  rule: MatchRule;
  isSure: boolean;
  why: string;
  amountKobo: Kobo;
  payment: CandidatePayment | null;
  payout: CandidatePayout | null;
  /** All that no line shows yet of a run, which left by one debit. */
  run: { id: number; payouts: number } | null;
  sale: CandidateSale | null;
  counterLineId: number | null;
  /** Whether it is the debit of a payout that was declared failed, which two people book as a loss. */
  isLateDebit?: boolean;
  /** What `bank.match` takes for it; null if it can't be acted on. */
  part: LinePart | null;
};
