import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { type WaitingMoney, waitingText, waitingTexts } from "#shared/dashboard/waiting-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** To every owner, once, when money of a farm waits for one of them. */
export function moneyWaitsNotice({ site, ...one }: { site: Site } & WaitingMoney): NoticeText {
  const title = waitingTexts.told[one.kind];
  const projectTitle = oneLine(one.projectTitle);
  const content = waitingText({ ...one, projectTitle });
  const tab = one.kind === "settle_sales" ? "?tab=harvests" : "";
  return {
    title,
    content,
    mail: ({ fullName }) => ({
      subject: `${title}: ${projectTitle}`,
      content: {
        title,
        paragraphs: [greeting(fullName), content, "It stands on the dashboard until an owner has done it."],
        action: {
          label: waitingTexts.act[one.kind],
          url: `${site.publicUrl}/project-updates/${one.projectId}${tab}`,
        },
      },
    }),
  };
}
