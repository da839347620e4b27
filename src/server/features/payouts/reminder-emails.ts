import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, type MailContent, questionsNote } from "#server/mail/layout.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";
import { type WaitingPayouts, waitsForOwners } from "#shared/payouts/runs-texts.ts";
import type { Site } from "#shared/site/site.ts";
import { type PayoutFacts, whatOf } from "./emails.ts";

/** Mails about money that is not paid in time. */

/** Sent to a backer once when a promise has passed. `lastDay` is the day by whose end the money was promised. */
export function overdueNotice(
  late: Pick<PayoutFacts, "site" | "kind" | "projectTitle" | "amountKobo"> & { lastDay: Date },
): NoticeText {
  const amount = formatNaira(late.amountKobo);
  const what = `We promised to pay ${amount} ${whatOf(late)} by ${formatDate(late.lastDay)}, and have not done so yet. We are sorry.`;
  const next = "The owners are told every day until it is paid. There is nothing you need to do.";
  return {
    title: "Your money is late",
    content: `${what} ${next}`,
    isAboutMoney: true,
    mail: ({ fullName }) => ({
      subject: `Your money is late: ${amount}`,
      content: {
        title: "Your money is late",
        paragraphs: [greeting(fullName), what, next],
        action: { label: "See your money", url: `${late.site.publicUrl}${moneyTabPath}` },
        footnote: questionsNote(late.site),
      },
    }),
  };
}

/** Payouts that owners are reminded of: those whose promised day has passed, and those that wait for an owner otherwise. */
type LatePayouts = {
  overdue: { count: number; amountKobo: Kobo; lastDay: Date };
  besides: Omit<WaitingPayouts, "overdue">;
};

/** Sent to every owner once a day as long as a promise has passed. */
export function latePayoutsMail(input: { fullName: string; site: Site } & LatePayouts): {
  subject: string;
  content: MailContent;
} {
  const { overdue, besides } = input;
  const payouts = overdue.count === 1 ? "1 payout is" : `${overdue.count} payouts are`;
  return {
    subject: `${input.site.name}: ${payouts} overdue`,
    content: {
      title: `${payouts} overdue`,
      paragraphs: [
        greeting(input.fullName),
        `${formatNaira(overdue.amountKobo)} should have been paid. The oldest promise was for ${formatDate(overdue.lastDay)}.`,
        ...waitsForOwners({ ...besides, overdue: 0 }).map(({ text }) => text),
      ],
      action: { label: "Open the payouts", url: `${input.site.publicUrl}/admin/payouts` },
      footnote: "All owners get this mail once a day, until nothing is overdue.",
    },
  };
}
