import type { Env } from "#server/platform/env.ts";
import { escapeHtml, oneLine } from "#server/platform/text.ts";
import type { Site, SiteFacts } from "#shared/site/site.ts";
import { cardSize, siteCardPath } from "./card-paths.ts";

export type PageHead = {
  status: 200 | 404;
  /** Without the product's name, which is appended; empty for the home page. */
  title: string;
  description: string;
  /** The page's canonical address; null if search engines should not list it. */
  canonicalPath: string | null;
  /** Null for the site's own. */
  card: { path: string; alt: string } | null;
};

const DESCRIPTION_LENGTH = 200;

export const siteFactsOf = (site: Site, { demo, google }: Pick<Env, "demo" | "google">): SiteFacts => ({
  ...site,
  isDemo: demo,
  hasGoogleSignIn: google !== null,
});

/** Renders the tags of a page's head, for the browser's tab, search engines, and link previews. */
export function renderHead(page: PageHead, site: SiteFacts): string {
  const { publicUrl } = site;
  const card = page.card ?? { path: `${siteCardPath}?v=${site.version}`, alt: `${site.name}. ${site.tagline}` };
  const description = shorten(oneLine(page.description), DESCRIPTION_LENGTH);
  const title = oneLine(page.title) || site.tagline;
  const image = `${publicUrl}${card.path}`;
  const imageAlt = oneLine(card.alt);
  const address = page.canonicalPath === null ? null : `${publicUrl}${page.canonicalPath}`;
  return [
    `<title>${escapeHtml(page.title ? `${page.title} · ${site.name}` : site.name)}</title>`,
    named("description", description),
    address === null ? named("robots", "noindex") : `<link rel="canonical" href="${escapeHtml(address)}" />`,
    property("og:site_name", site.name),
    property("og:locale", "en_NG"),
    property("og:type", "website"),
    property("og:title", title),
    property("og:description", description),
    ...(address === null ? [] : [property("og:url", address)]),
    property("og:image", image),
    property("og:image:type", "image/jpeg"),
    property("og:image:width", String(cardSize.width)),
    property("og:image:height", String(cardSize.height)),
    property("og:image:alt", imageAlt),
    named("twitter:card", "summary_large_image"),
    named("twitter:title", title),
    named("twitter:description", description),
    named("twitter:image", image),
    named("twitter:image:alt", imageAlt),
    // What the page knows of its installation before its scripts ask anything.
    named("site", JSON.stringify(site)),
  ].join("\n    ");
}

const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;

/** Shortens a text to `length`, between words. A grapheme is never cut. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  let short = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (short.length + segment.length >= length) break;
    short += segment;
  }
  const wholeWords = short.split(/\s+/).slice(0, -1).join(" ");
  return `${wholeWords || short}…`;
}
