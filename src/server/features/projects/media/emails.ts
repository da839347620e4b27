import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import type { Site } from "#shared/site/site.ts";
import type { MediaNews } from "./rules.ts";

const words: Record<MediaNews, { title: string; sentence: string; action: string }> = {
  photos: { title: "New photos", sentence: "There are new photos of", action: "See the photos" },
  videos: { title: "New video", sentence: "There is a new video of", action: "Watch it" },
  livestream: { title: "New livestream", sentence: "You can now watch a livestream of", action: "Watch it" },
};

/** Sent to the backers of a project with new media. */
export function mediaNotice(media: {
  site: Site;
  projectId: number;
  projectTitle: string;
  news: MediaNews;
}): NoticeText {
  const project = oneLine(media.projectTitle);
  const { title, sentence, action } = words[media.news];
  return {
    title,
    content: `${sentence} ${project}.`,
    mail: ({ fullName }) => ({
      subject: `${title}: ${project}`,
      content: {
        title,
        paragraphs: [greeting(fullName), `${sentence} ${project}.`],
        action: { label: action, url: `${media.site.publicUrl}/backed-project/${media.projectId}?tab=media` },
      },
    }),
  };
}
