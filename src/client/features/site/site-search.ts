export const siteSections = ["company", "look", "texts", "home"] as const;
export type SiteSection = (typeof siteSections)[number];

/** The search parameters of the tab "This site": the section, where it isn't the first. */
export type SiteSearch = { section?: SiteSection | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readSiteSearch(input: Record<string, unknown>): SiteSearch {
  return { section: siteSections.find((section) => section === input.section && section !== "company") };
}
