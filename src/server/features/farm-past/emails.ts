import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { pastYears } from "#shared/farm-past/texts.ts";
import type { Site } from "#shared/site/site.ts";

type Decided = {
  site: Site;
  farmId: number;
  farmName: string;
  fromYear: number;
  toYear: number;
  farmed: string;
  state: "confirmed" | "refused" | "taken_down";
  /** The reason for the refusal or removal. */
  reason: string | null;
};

/** Tells a farm's keepers what an owner decided on what it tells of the years before this site. */
export function pastDecidedNotice({ site, farmId, state, reason, ...told }: Decided): NoticeText {
  const farm = oneLine(told.farmName);
  const entry = `What ${farm} tells of ${pastYears(told)} (${oneLine(told.farmed)})`;
  const why = oneLine(reason ?? "");
  const { title, text, action } = {
    confirmed: {
      title: "On your farm's page",
      text: `${entry} is confirmed: everybody reads it on your farm's page.`,
      action: { label: "See the page", url: `${site.publicUrl}/farms/${farmId}` },
    },
    refused: {
      title: "Not confirmed",
      text: `${entry} wasn't confirmed. Why: ${why}`,
      action: { label: "See the entry", url: `${site.publicUrl}/farm` },
    },
    taken_down: {
      title: "Taken down from your farm's page",
      text: `${entry} isn't on your farm's page any more. Why: ${why}`,
      action: { label: "See the entry", url: `${site.publicUrl}/farm` },
    },
  }[state];
  return {
    title,
    content: text,
    mail: ({ fullName }) => ({
      subject: `${farm}: ${title.toLowerCase()}`,
      content: { title, paragraphs: [greeting(fullName), text], action },
    }),
  };
}
