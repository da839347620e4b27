/** The tabs of a project's management, as the address names them. In the start chunk: kept small. */
const manageTabs = ["updates", "backers", "holds", "money", "harvests", "media", "messages"] as const;
export type ManageTab = (typeof manageTabs)[number];

/** The tab in an address; the first one needs no name. */
export function readManageTab(search: Record<string, unknown>): { tab?: ManageTab | undefined } {
  return { tab: manageTabs.find((tab) => tab === search.tab && tab !== "updates") };
}
