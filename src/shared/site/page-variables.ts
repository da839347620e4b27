import type { OwnPage } from "./pages.ts";

/** The names between two braces in an operator's text, filled in whenever the text is read. */
export const pageVariables = ["name", "company", "support", "fee", "holdhours", "refunddays", "reviewdays"] as const;
export type PageVariable = (typeof pageVariables)[number];

/** Lists that come from the product itself, each in a paragraph of its own of the cookie policy. */
export const listVariables = ["cookielist", "storagelist"] as const;
export type ListVariable = (typeof listVariables)[number];

/** A description of each, for the menu of the editor. */
export const variableWords: Record<PageVariable | ListVariable, string> = {
  name: "Name of the site",
  company: "Company",
  support: "Support address",
  fee: "Our fee",
  holdhours: "How long lots are held",
  refunddays: "Time to pay money back",
  reviewdays: "Time to review receipts",
  cookielist: "List of cookies",
  storagelist: "List of what browsers store",
};

export const variablesOf = (page: OwnPage): readonly (PageVariable | ListVariable)[] =>
  page === "cookies" ? [...pageVariables, ...listVariables] : pageVariables;

export const written = (variable: string): string => `{{${variable}}}`;

/** A tag, which stays as it is, or a variable. In sanitised HTML no attribute contains "<" or ">". */
export const tagOrVariable = /<[^<>]*>|\{\{([^{}<>]*)\}\}/g;

/** A list's whole paragraph. */
export const listParagraph = /<p>\s*\{\{\s*(cookielist|storagelist)\s*\}\}\s*<\/p>/g;

/** Returns the first fault in a text's variables, as a sentence, or null. A text with a fault isn't saved. */
export function variableFault(page: OwnPage, html: string): string | null {
  const known = variablesOf(page);
  const isList = (name: string) => listVariables.some((list) => list === name);
  const rest = page === "cookies" ? html.replace(listParagraph, "") : html;
  for (const [found, typed] of rest.matchAll(tagOrVariable)) {
    const name = typed?.trim();
    if (name === undefined) {
      if (found.includes("{{")) return "A variable can't stand in the address of a link or a picture.";
      continue;
    }
    if (known.every((each) => each !== name)) {
      return `There is no variable ${written(name)} in this text. There are ${known.map(written).join(", ")}.`;
    }
    if (isList(name)) return `${written(name)} needs a paragraph of its own.`;
  }
  const stray = /\{\{|\}\}/.test(rest.replace(tagOrVariable, ""));
  return stray ? `Variables are written with two braces on both sides, like ${written("name")}.` : null;
}
