/** What the trial balance says of an account, in its order. */
export type Figure = "broughtForward" | "in" | "out" | "balance";

export const figures: readonly { header: string; figure: Figure }[] = [
  { header: "Brought forward", figure: "broughtForward" },
  { header: "In", figure: "in" },
  { header: "Out", figure: "out" },
  { header: "Balance", figure: "balance" },
];
