import sanitizeHtml from "sanitize-html";
import { projectLimits } from "#shared/project-texts.ts";

const dayMs = 86_400_000;

/** Whole days until the end, a begun day counting as one; 0 once it has passed. */
export function daysLeft(endsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / dayMs));
}

/** The end of a campaign of that many days from now (product decision: creation or last edit + duration). */
export function endOfCampaign(now: Date, durationDays: number = projectLimits.defaultDaysLeft): Date {
  return new Date(now.getTime() + durationDays * dayMs);
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
