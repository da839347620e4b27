import { escapeHtml, oneLine } from "#server/platform/text.ts";
import { rolesOf } from "#shared/site/look.ts";
import { companyOf, type Site, supportOf } from "#shared/site/site.ts";

/** A text, or a link with its label. */
type Piece = string | { text: string; href: string };

export type MailContent = {
  title: string;
  /** A sentence or two each; an array if a link stands inside the text. */
  paragraphs: (Piece | Piece[])[];
  /**
   * Values to be compared with something else, in large letters; a code, which is read out or typed, in the largest.
   */
  figures?: { label: string; value: string; isCode?: boolean }[];
  /** The mail's one button. */
  action?: { label: string; url: string };
  footnote?: Piece | Piece[];
  /** How to switch such mails off. */
  optOut?: Piece | Piece[];
};

export type Mail = { subject: string; content: MailContent };

/** The salutation of a mail to a backer. The specification names the one for a backer without a name. */
export const greeting = (fullName: string) => `Dear ${oneLine(fullName) || "Valued Backer"},`;

/** The layout of all mails: HTML for light and dark mode, and plain text with the links written out. */
export function renderMail(site: Site, content: MailContent): { html: string; text: string } {
  return { html: renderHtml(site, content), text: renderText(site, content) };
}

/** The operator's colour as links, name and button have it, in both schemes. */
function stylesOf({ look }: Site): string {
  const roles = rolesOf(look);
  const [link, button, dark] = roles
    ? [roles.text.light, roles.button.light, roles.text.dark]
    : ["#1f5f34", "#1f5f34", "#8fd0a0"];
  return `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 24px 16px; background: #f7f4ec; color: #1d2419; font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  main { max-width: 560px; margin: 0 auto; padding: 32px 24px; background: #ffffff; border-radius: 12px; overflow-wrap: anywhere; word-break: break-word; }
  h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
  p { margin: 0 0 16px; }
  a { color: ${link}; }
  .brand { margin: 0 0 24px; font-weight: 700; color: ${link}; }
  .action { display: inline-block; padding: 12px 24px; border-radius: 8px; background: ${button}; color: #ffffff; font-weight: 600; text-decoration: none; }
  .figure { font-size: 24px; line-height: 1.4; font-weight: 700; font-variant-numeric: tabular-nums; }
  .code { font: 700 40px/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-variant-numeric: tabular-nums; letter-spacing: 2px; white-space: nowrap; }
  .small { margin: 0 0 8px; font-size: 14px; color: #55604f; }
  @media (prefers-color-scheme: dark) {
    body { background: #12170f; color: #e9ede4; }
    main { background: #1c2318; }
    a, .brand { color: ${dark}; }
    .action { background: ${dark}; color: #0f1a10; }
    .small { color: #a9b3a2; }
  }`;
}

/** `dir="auto"`, because a paragraph may be a person's own text in a right-to-left script. */
function renderHtml(site: Site, { title, paragraphs, figures = [], action, footnote, optOut }: MailContent): string {
  const button = action
    ? `<p><a class="action" href="${safeHref(action.url)}">${escapeHtml(action.label)}</a></p>
<p class="small">If the button doesn't work, open this address: <a href="${safeHref(action.url)}">${escapeHtml(action.url)}</a></p>`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${stylesOf(site)}
</style>
</head>
<body>
<main>
<p class="brand">${escapeHtml(site.name)}</p>
<h1 dir="auto">${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p dir="auto">${htmlOf(paragraph)}</p>`).join("\n")}
${figures.map(({ label, value, isCode }) => `<p>${escapeHtml(label)}<br><span class="${isCode ? "code" : "figure"}">${escapeHtml(value)}</span></p>`).join("\n")}
${button}
${footnote === undefined ? "" : `<p class="small">${htmlOf(footnote)}</p>`}
<p class="small">${escapeHtml(signatureOf(site))}</p>
${optOut === undefined ? "" : `<p class="small">${htmlOf(optOut)}</p>`}
</main>
</body>
</html>
`;
}

function renderText(site: Site, { title, paragraphs, figures = [], action, footnote, optOut }: MailContent): string {
  const blocks = [
    title,
    ...paragraphs.map(textOf),
    ...figures.map(({ label, value }) => `${label}:\n${value}`),
    ...(action ? [`${action.label}:\n${checkedUrl(action.url)}`] : []),
    ...(footnote === undefined ? [] : [textOf(footnote)]),
    `-- \n${signatureOf(site)}`,
    ...(optOut === undefined ? [] : [textOf(optOut)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

const signatureOf = (site: Site): string => [companyOf(site), site.supportEmail].filter(Boolean).join(" · ");

/** The support address as a link, to be put behind "Write to"; the contact form until there is an address. */
export const supportLink = (site: Site): Piece => ({
  text: supportOf(site),
  href: site.supportEmail ? `mailto:${site.supportEmail}` : `${site.publicUrl}/contact`,
});

/** The footnote of mails about one payment or payout. */
export const referenceNote = (site: Site): Piece[] => [
  "Questions? Write to ",
  supportLink(site),
  " and name the reference.",
];

/** The footnote of other mails about money. */
export const questionsNote = (site: Site): Piece[] => ["Questions? Write to ", supportLink(site), "."];

const piecesOf = (paragraph: Piece | Piece[]) => (Array.isArray(paragraph) ? paragraph : [paragraph]);

function htmlOf(paragraph: Piece | Piece[]): string {
  return piecesOf(paragraph)
    .map((piece) =>
      typeof piece === "string"
        ? escapeHtml(piece).replaceAll("\n", "<br>")
        : `<a href="${safeHref(piece.href)}">${escapeHtml(piece.text)}</a>`,
    )
    .join("");
}

function textOf(paragraph: Piece | Piece[]): string {
  return piecesOf(paragraph)
    .map((piece) => (typeof piece === "string" ? piece : `${piece.text} (${checkedUrl(piece.href)})`))
    .join("");
}

const safeHref = (url: string) => escapeHtml(checkedUrl(url));

/** Mails link to web and mail addresses only; any other link is a programming error. */
function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^(https?|mailto):$/.test(new URL(url).protocol)) throw new Error(`not a link: ${url}`);
  return url;
}
