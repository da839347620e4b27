/** The ways to look at an account's lines: what waits for a person, and what is done. Addresses name them. */
export const lineTabs = ["to_match", "suggested", "matched", "own"] as const;
export type LineTab = (typeof lineTabs)[number];

export const lineTabLabels: Record<LineTab, string> = {
  to_match: "To match",
  suggested: "Suggested",
  matched: "Matched",
  own: "The company's own money",
};
