import { writeHeads } from "#server/books/heads.ts";
import { closeMonth, findNextMonth } from "#server/features/books/service.ts";
import { endOfMonth, monthOf } from "#shared/books/texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { hourMs } from "#shared/lagos-time.ts";
import type { Office, Step } from "./seed-office.ts";

/** The demo's books: a head of the ledger each week, and the months that were closed. The last that is over waits to be. */

const headEveryDays = 7;

export function planBooks(office: Office, sinceDaysAgo: number): Step[] {
  const heads = Array.from({ length: Math.floor(sinceDaysAgo / headEveryDays) }, (_, week): Step => {
    const at = office.ago(week * headEveryDays);
    return { at, run: () => writeHeads(office.as("owner", at)) };
  });
  const days = Array.from({ length: sinceDaysAgo }, (_, day) => dayInLagos(office.ago(day)));
  const lastMonths = [...new Set(days.map(monthOf))].sort().slice(0, -2);
  const closings = lastMonths.map((month): Step => {
    const at = new Date(endOfMonth(month).getTime() + 9 * hourMs);
    return {
      at,
      run: async () => {
        if ((await findNextMonth(office.tx))?.month === month) await closeMonth(office.as("owner", at), { month });
      },
    };
  });
  return [...heads, ...closings].filter(({ at }) => at.getTime() <= office.now.getTime());
}
