/**
 * Texts about the farms' money that waits for an owner, for the dashboard, notifications and mails. No schema is here.
 */

import { formatNaira, type Kobo } from "#shared/money.ts";

/** A round that ended before its last lot was sold, sales that no settlement has divided, money that may go to the farm. */
export type WaitingMoney = { projectId: number; projectTitle: string; round: number } & (
  | { kind: "decide_round"; lots: number; approvedLots: number }
  | { kind: "settle_sales"; harvestId: number; number: number; isInsurance: boolean; amountKobo: Kobo }
  | { kind: "release_money"; amountKobo: Kobo }
);

export const waitingTexts = {
  /** The owner's next step: in the menu of a project, and on a mail's button. */
  act: {
    decide_round: "Decide on the round",
    settle_sales: "Settle the sales",
    release_money: "Release the money",
  },
  /** Titles of notifications and mails. */
  told: {
    decide_round: "A round waits for your decision",
    settle_sales: "Money of sales waits to be settled",
    release_money: "Money waits to be released to a farm",
  },
} as const;

/** One of them as a sentence. */
export function waitingText(one: WaitingMoney): string {
  const { projectTitle: title } = one;
  switch (one.kind) {
    case "decide_round":
      return `${title}: the round ended with ${one.approvedLots} of ${one.lots} lots sold. Decide whether the farm starts, or everything is given back.`;
    case "settle_sales": {
      const from = one.isInsurance ? "Money of the insurance" : `Money of harvest ${one.number}`;
      return `${title}: ${formatNaira(one.amountKobo)} waits to be settled. ${from} has come, and nobody has a part of it yet.`;
    }
    case "release_money":
      return `${title}: ${formatNaira(one.amountKobo)} has arrived for the farm, and can be released to it.`;
  }
}
