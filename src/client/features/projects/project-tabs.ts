/** The tabs of the two project pages, as the address names them. The first is shown where none is named. */
export const projectTabs = ["about", "updates", "gallery"] as const;
export type ProjectTab = (typeof projectTabs)[number];

export const backedTabs = ["updates", "media", "messages", "harvest"] as const;
export type BackedTab = (typeof backedTabs)[number];
