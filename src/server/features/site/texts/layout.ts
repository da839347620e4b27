/** A heading that the contents beside a text lead to. */
type ContentsEntry = { id: string; title: string };

export type LaidOut = {
  /** The first paragraph, which stands under the page's title; "" where the text begins otherwise. */
  lead: string;
  /** A quotation right after it that begins with a bold line: what matters most. */
  summary: { title: string; html: string } | null;
  body: string;
  contents: ContentsEntry[];
};

const leading = /^\s*<p>(.*?)<\/p>\s*/s;
const quoted = /^<blockquote>\s*<p><strong>/;

/** Takes a sanitised text apart as its page shows it. */
export function layOut(html: string): LaidOut {
  const lead = leading.exec(html);
  const afterLead = html.slice(lead?.[0].length ?? 0);
  const { summary, body } = takeSummary(afterLead);
  return {
    lead: lead?.[1] ?? "",
    summary,
    body,
    contents: contentsOf(body),
  };
}

function takeSummary(html: string): Pick<LaidOut, "summary" | "body"> {
  const begin = quoted.exec(html)?.[0].length;
  const [titleEnd, quotationEnd] = ["</strong></p>", "</blockquote>"];
  const title = begin === undefined ? -1 : html.indexOf(titleEnd, begin);
  const end = title < 0 ? -1 : html.indexOf(quotationEnd, title);
  if (end < 0) return { summary: null, body: html };
  return {
    summary: {
      title: plain(html.slice(begin, title)),
      html: html.slice(title + titleEnd.length, end).trim(),
    },
    body: html.slice(end + quotationEnd.length).trimStart(),
  };
}

/** Each heading that has an id, in their order. */
const contentsOf = (html: string): ContentsEntry[] =>
  html
    .split("</h2>")
    .slice(0, -1)
    .flatMap((part) => {
      const [, id, words = ""] = /^<h2 id="([^"<>]*)">(.*)$/s.exec(part.slice(part.lastIndexOf("<h2 "))) ?? [];
      return id === undefined ? [] : [{ id, title: plain(words) }];
    });

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** The words of a piece of sanitised HTML. */
export const plain = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .trim();
