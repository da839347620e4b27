/** The figures of an account in the trial balance, in their order. */
export type Figure = "broughtForward" | "in" | "out" | "balance";

export const figures: readonly { header: string; figure: Figure }[] = [
  { header: "Brought forward", figure: "broughtForward" },
  { header: "In", figure: "in" },
  { header: "Out", figure: "out" },
  { header: "Balance", figure: "balance" },
];
