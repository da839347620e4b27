import sanitizeHtml from "sanitize-html";

/** Sanitises a description by the allowlist, both when it is stored and when it is rendered. */
export const sanitizeDescription = (html: string): string => sanitizeHtml(html, description);

/**
 * Sanitises one of the operator's texts. They may have what descriptions have and, besides, headings that links lead to and
 * links within the site, which open in the same tab.
 */
export const sanitizePageText = (html: string): string => nameHeadings(withoutEmptyEnd(sanitizeHtml(html, pageText)));

/** Without the empty paragraphs in which an editor lets its writer go on. */
function withoutEmptyEnd(html: string): string {
  let kept = html.trimEnd();
  while (kept.endsWith(emptyParagraph)) kept = kept.slice(0, -emptyParagraph.length).trimEnd();
  return kept;
}
const emptyParagraph = "<p></p>";

const untrusted = { rel: "noopener noreferrer nofollow ugc", target: "_blank" };
const outside = { rel: "noopener noreferrer", target: "_blank" };

const description: sanitizeHtml.IOptions = {
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
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, ...untrusted } }),
    img: (tagName, attribs) => ({ tagName, attribs: { ...attribs, loading: "lazy" } }),
  },
};

const isOwnAddress = (href: string | undefined) => href !== undefined && /^(?:#|\/(?!\/))/.test(href);

const pageText: sanitizeHtml.IOptions = {
  ...description,
  allowedAttributes: { ...description.allowedAttributes, h2: ["id"], h3: ["id"], h4: ["id"] },
  transformTags: {
    ...description.transformTags,
    a: (tagName, { href, title }) => ({
      tagName,
      attribs: {
        ...(href === undefined ? {} : { href }),
        ...(title === undefined ? {} : { title }),
        ...(isOwnAddress(href) ? {} : outside),
      },
    }),
  },
};

/** Ids that the page around the text has. */
const takenIds = ["root", "boot", "content", "contents"];

/** Gives each heading an id of its own, after its words where it has none: "6. Refunds" is refunds. */
function nameHeadings(html: string): string {
  const taken = new Set(takenIds);
  // What stands before the first heading, then of each: its tag, the id it has, and all that follows.
  const [before = "", ...rest] = html.split(/<(h[2-4])(?: id="([^"<>]*)")?>/);
  let named = before;
  for (let at = 0; at < rest.length; at += 3) {
    const [tag, given, after = ""] = rest.slice(at, at + 3);
    const words = after.split(`</${tag}>`, 1)[0] ?? "";
    const wanted = idOf(given ?? words.replace(/<[^<>]*>|&\w{1,10};/g, " ")) || "section";
    let id = wanted;
    for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
    taken.add(id);
    named += `<${tag} id="${id}">${after}`;
  }
  return named;
}

const idOf = (words: string): string =>
  words
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[\d-]+|-$/g, "")
    .slice(0, 60);
