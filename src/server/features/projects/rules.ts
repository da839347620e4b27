import sanitizeHtml from "sanitize-html";
import { placeholderImage, projectFormLimits } from "#shared/project-admin-texts.ts";
import { projectLimits } from "#shared/project-texts.ts";
import { isShownAddress } from "#shared/shown-address.ts";

const dayMs = 86_400_000;

/** Whole days until the end, a begun day counting as one; 0 once it has passed. */
export function daysLeft(endsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / dayMs));
}

/** The end of a campaign of that many days from now (product decision: creation or last edit + duration). */
export function endOfCampaign(now: Date, durationDays: number = projectLimits.defaultDaysLeft): Date {
  return new Date(now.getTime() + durationDays * dayMs);
}

/** Now, or a moment after the last change where the clock hasn't moved on: two changes never carry the same time. */
export function laterThan(last: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), last.getTime() + 1));
}

/** The picture's address, or the placeholder's where browsers would block it. */
export const shownPicture = (imageUrl: string): string => (isShownAddress(imageUrl) ? imageUrl : placeholderImage);

const cloneSuffix = " (Clone)";

/** "Snail farm (Clone)", the title cut where both together are too long. */
export function cloneTitle(title: string): string {
  const letters = [...title];
  while (letters.join("").length + cloneSuffix.length > projectFormLimits.title.max) letters.pop();
  return letters.join("").trimEnd() + cloneSuffix;
}

/** What an audit entry tells of a change: the columns that differ, before and after, as plain JSON. */
export function changesBetween(before: object, after: object): { before: Json; after: Json } {
  const [old, next] = [plain(before), plain(after)];
  const changed = Object.keys(next).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  const pick = (from: Json) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return { before: pick(old), after: pick(next) };
}

type Json = Record<string, unknown>;

/** Money becomes its digits, a moment its text. */
function plain(values: object): Json {
  return JSON.parse(JSON.stringify(values, (_name, value) => (typeof value === "bigint" ? value.toString() : value)));
}

/** Allowlist for project descriptions, applied on write and again on render. */
export function sanitizeDescription(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      "p",
      "br",
      "h2",
      "h3",
      "h4",
      "ul",
      "ol",
      "li",
      "strong",
      "b",
      "em",
      "i",
      "u",
      "s",
      "blockquote",
      "hr",
      "a",
      "img",
    ],
    allowedAttributes: { a: ["href", "title", "rel", "target"], img: ["src", "alt", "width", "height", "loading"] },
    allowedSchemes: ["https", "http", "mailto", "tel"],
    allowedSchemesByTag: { img: ["https"] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, rel: "noopener noreferrer nofollow ugc", target: "_blank" },
      }),
      img: (tagName, attribs) => ({ tagName, attribs: { ...attribs, loading: "lazy" } }),
    },
  });
}
