import { formatDate, formatWeekday } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";
import type { Kobo } from "#shared/money.ts";
import { arrivalOf } from "./texts.ts";

/** A moment of the day that a promise is for: it ends at the midnight after it. */
export const promisedDay = (reviewBy: Date): Date => new Date(reviewBy.getTime() - 1);

type LatePayment = { amountKobo: Kobo; arrivedKobo: Kobo; lots: number; reviewBy: Date };

/**
 * Returns the text for a backer once the day is over by which we promised an answer, with what the bank shows of the
 * payment, unless that is a part, which stands beside it. `isBankKnown`: the bank's statements are imported.
 */
export function lateReviewText(
  payment: LatePayment,
  { now, isBankKnown }: { now: Date; isBankKnown: boolean },
): string {
  const day = promisedDay(payment.reviewBy);
  const said = now.getTime() - day.getTime() < 6 * dayMs ? formatWeekday(day) : formatDate(day);
  const shown = {
    none: isBankKnown ? " Our bank has not shown us your transfer yet." : "",
    part: "",
    all: " Our bank shows your transfer.",
    surplus: " Our bank shows your transfer.",
  }[arrivalOf(payment).kind];
  return `We promised an answer by ${said}. We are late, and sorry.${shown}`;
}
