/** The ways to look at an account's lines: what waits for a person, and what is done. Addresses name them. */
export const lineTabs = ["to_explain", "suggested", "explained", "ignored"] as const;
export type LineTab = (typeof lineTabs)[number];

export const lineTabLabels: Record<LineTab, string> = {
  to_explain: "To match",
  suggested: "Suggested",
  explained: "Matched",
  ignored: "The company's own money",
};
