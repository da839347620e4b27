import { formatNaira, type Kobo } from "#shared/money.ts";

/** An approved payment that the bank's statements don't wholly show. */
export type UnseenPayment = { reference: string; backer: string; missingKobo: Kobo };

/** How many of them are named one by one. */
const named = 20;

const each = (unseen: readonly UnseenPayment[]): string[] => {
  const rest = unseen.slice(named);
  const restKobo = rest.reduce((sum, { missingKobo }) => sum + missingKobo, 0n);
  return [
    ...unseen
      .slice(0, named)
      .map(
        ({ reference, backer, missingKobo }) =>
          `${formatNaira(missingKobo)} of ${reference} by ${backer} isn't seen at the bank.`,
      ),
    ...(rest.length > 0 ? [`${formatNaira(restKobo)} of ${rest.length} more payments isn't seen at the bank.`] : []),
  ];
};

/** Texts about opening a harvest while the bank doesn't wholly show payments of its round. */
export const unseenTexts = {
  each,
  effects: [
    "Each of these payments has its part in the harvest, whether its money comes or not.",
    "From then on no payment of the round can be approved or taken back. One that never comes is struck, by two owners.",
  ],
  ask: "The bank's statements don't wholly show what was paid for this round. Match the lines first, or ask another owner to open it all the same.",
  takesTwo: (unseen: readonly UnseenPayment[]) =>
    `${each(unseen).join(" ")} An owner asks another owner to open the harvest all the same.`,
  changed: "What the bank shows of the round's payments has changed. Please look at it again.",
  isAsked: "A second owner is asked to confirm that this harvest opens.",
} as const;
