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
const quoted = /^<blockquote>\s*<p><strong>(.*?)<\/strong><\/p>(.*?)<\/blockquote>\s*/s;
const heading = /<h2 id="([^"]*)">(.*?)<\/h2>/gs;

/** Takes a sanitised text apart as its page shows it. */
export function layOut(html: string): LaidOut {
  const lead = leading.exec(html);
  const afterLead = html.slice(lead?.[0].length ?? 0);
  const summary = quoted.exec(afterLead);
  const body = afterLead.slice(summary?.[0].length ?? 0);
  return {
    lead: lead?.[1] ?? "",
    summary: summary ? { title: plain(summary[1] ?? ""), html: (summary[2] ?? "").trim() } : null,
    body,
    contents: [...body.matchAll(heading)].map(([, id = "", words = ""]) => ({ id, title: plain(words) })),
  };
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** The words of a piece of sanitised HTML. */
export const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .trim();
