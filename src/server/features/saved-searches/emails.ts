import type { NoticeText } from "#server/features/notifications/service.ts";
import { greeting, type MailContent } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { savedSearchesPath, stopSearchPath } from "#shared/saved-searches/texts.ts";
import type { Site } from "#shared/site/site.ts";

/** A project that opened, as a mail describes it. */
export type OpenedProject = {
  id: number;
  title: string;
  location: string;
  lotPriceKobo: Kobo;
  firstHarvestOn: string | null;
};

/** A saved search, and what it found that is named for no other search of the person. `token` stops it. */
export type Finds = { name: string; token: string; projects: OpenedProject[] };

/** More projects than these are counted, not named. */
const mostNamed = 10;

/** To a person, at most once a day: what opened and fits any of their searches. */
export function openedNotice({ site, finds }: { site: Site; finds: readonly Finds[] }): NoticeText {
  const projects = finds.flatMap((found) => found.projects);
  const titles = projects.slice(0, mostNamed).map(({ title }) => oneLine(title));
  const more = projects.length - titles.length;
  const title =
    projects.length === 1 ? "A new farm fits your search" : `New farms fit your searches: ${projects.length}`;
  let left = mostNamed;
  const paragraphs: MailContent["paragraphs"] = [];
  for (const { name, token, projects: found } of finds) {
    const named = found.slice(0, left);
    left -= named.length;
    if (named.length === 0) continue;
    const stop = { text: "Stop this search", href: `${site.publicUrl}${stopSearchPath}?token=${token}` };
    paragraphs.push([`For “${oneLine(name)}” (`, stop, "):"], ...named.map((project) => describe(site, project)));
  }
  if (more > 0) paragraphs.push(`And ${more} more, which your searches show.`);
  return {
    title,
    content: more > 0 ? `${titles.join("; ")}; and ${more} more` : titles.join("; "),
    mail: ({ fullName }) => ({
      subject: projects.length === 1 ? `New: ${titles[0]}` : title,
      content: {
        title,
        paragraphs: [greeting(fullName), ...paragraphs],
        action: { label: "See your saved searches", url: `${site.publicUrl}${savedSearchesPath}` },
      },
    }),
  };
}

const describe = (site: Site, { id, title, location, lotPriceKobo, firstHarvestOn }: OpenedProject) => {
  const facts = [
    oneLine(location),
    `${formatNaira(lotPriceKobo)} a lot`,
    firstHarvestOn && `first harvest about ${formatDay(firstHarvestOn)}`,
  ];
  return [{ text: oneLine(title), href: `${site.publicUrl}/project/${id}` }, ` · ${facts.filter(Boolean).join(" · ")}`];
};
