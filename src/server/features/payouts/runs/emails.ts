import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, type MailContent } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import { groupedHash, payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** Mails to owners about payment runs. */

type About = {
  site: Site;
  by: string;
  run: { id: number; payouts: number; totalKobo: Kobo; linesSha256: string };
};

/** The figures that both owners compare at the bank: the same in each mail and on the run's screen. */
const figuresOf = ({ run }: About): NonNullable<MailContent["figures"]> => [
  { label: payoutRunTexts.totalLabel, value: formatNairaExact(run.totalKobo) },
  { label: payoutRunTexts.hashLabel, value: groupedHash(run.linesSha256) },
];

const actionOf = ({ site, run }: About) => ({
  label: "Open the payment run",
  url: `${site.publicUrl}/admin/payouts?tab=runs&run=${run.id}`,
});

/** To the other owners, when one has made a run. */
export function runWaitsNotice(about: About): NoticeText {
  const what = payoutRunTexts.title(about.run);
  const content = `${oneLine(about.by)} made a payment run. ${what}. It goes to the bank once another owner has approved it.`;
  return {
    title: "A payment run waits for approval",
    content,
    mail: ({ fullName }) => ({
      subject: `A payment run waits for approval: ${what}`,
      content: {
        title: "A payment run waits for approval",
        paragraphs: [
          greeting(fullName),
          content,
          `Please compare its lines before you approve. ${payoutRunTexts.compare}`,
        ],
        figures: figuresOf(about),
        action: actionOf(about),
      },
    }),
  };
}

/** To whoever made a run, when another owner has decided on it. */
export function runDecidedNotice({ decision, ...about }: About & { decision: "approved" | "void" }): NoticeText {
  const what = payoutRunTexts.title(about.run);
  const title = decision === "approved" ? "Your payment run was approved" : "Your payment run was cancelled";
  const next =
    decision === "approved"
      ? "Its file can be made for the bank now."
      : "Nothing was sent, and its payouts are due again.";
  const content = `${oneLine(about.by)} ${decision === "approved" ? "approved" : "cancelled"}: ${what}. ${next}`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${what}`,
      content: {
        title,
        paragraphs: [greeting(fullName), content, ...(decision === "approved" ? [payoutRunTexts.compare] : [])],
        ...(decision === "approved" && { figures: figuresOf(about) }),
        action: actionOf(about),
      },
    }),
  };
}

/** To every owner but its maker, when a run was approved; `aloneReason` where its maker did so as the only owner. */
export function runApprovedNotice({ aloneReason, ...about }: About & { aloneReason: string | null }): NoticeText {
  const what = payoutRunTexts.title(about.run);
  const title = aloneReason === null ? "A payment run was approved" : "An owner approved their own payment run";
  const why = aloneReason === null ? "" : ` Reason: ${oneLine(aloneReason)}`;
  const content = `${oneLine(about.by)} approved: ${what}. Its file can be made for the bank now.${why}`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${what}`,
      content: {
        title,
        paragraphs: [
          greeting(fullName),
          content,
          `All owners are told of every run that is approved. If it surprises you, talk to them today. ${payoutRunTexts.compare}`,
        ],
        figures: figuresOf(about),
        action: actionOf(about),
      },
    }),
  };
}

/** To the other owners, when one has sent a run to the bank. */
export function runExportedNotice({ sheet, ...about }: About & { sheet: string | undefined }): NoticeText {
  const what = payoutRunTexts.title(about.run);
  const title = "A payment run went to the bank";
  const content = `${oneLine(about.by)} made the bank's file of a payment run. ${what}.`;
  const paper = sheet === undefined ? [] : [`Its run sheet is ${sheet}. You find it with the run, and under Papers.`];
  return {
    title,
    content: [content, ...paper].join(" "),
    mail: ({ fullName }) => ({
      subject: `${title}: ${what}`,
      content: {
        title,
        paragraphs: [greeting(fullName), content, ...paper, payoutRunTexts.compare],
        figures: figuresOf(about),
        action: actionOf(about),
      },
    }),
  };
}

/** To the other owners, when one made the files of a run in another layout. */
export function runLayoutNotice(about: About): NoticeText {
  const what = payoutRunTexts.title(about.run);
  const title = "A payment run has a file in another layout";
  const content = `${oneLine(about.by)} made the bank's file again in other columns. ${what}.`;
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${what}`,
      content: {
        title,
        paragraphs: [
          greeting(fullName),
          content,
          `It has the same lines. Only one of the files may be given to the bank. ${payoutRunTexts.compare}`,
        ],
        figures: figuresOf(about),
        action: actionOf(about),
      },
    }),
  };
}
