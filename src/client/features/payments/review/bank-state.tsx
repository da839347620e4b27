import { IconAlertTriangle, IconBuildingBank, IconClock, IconCoins, IconX } from "@tabler/icons-react";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatNaira } from "#shared/money.ts";
import { type BankState, bankStateLabels } from "#shared/payments/statuses.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import classes from "./payments.module.css";
import type { AdminPayment } from "./payments-search.ts";
import { RowSign } from "./row-sign.tsx";

export type SeenInBank = NonNullable<AdminPayment["bank"]>;

const tones: Record<BankState, StatusTone> = {
  in_bank: "positive",
  not_seen: "waiting",
  part: "caution",
  taken_back: "negative",
  struck: "negative",
};

/** Shows a payment's state by the bank's statements, and the way to their lines. */
export function BankStateMark({ bank }: { bank: SeenInBank }) {
  return (
    <span className={classes.bankState}>
      <StatusBadge tone={tones[bank.state]}>{bankStateLabels[bank.state]}</StatusBadge>
      {amountOf(bank) && <span className={classes.dimmed}>{amountOf(bank)}</span>}
      <BankLines lineIds={bank.lineIds} />
    </span>
  );
}

const signs = {
  in_bank: IconBuildingBank,
  not_seen: IconClock,
  part: IconAlertTriangle,
  taken_back: IconX,
  struck: IconX,
};

/** The same as a sign in a row of the payments' table. */
export function BankSign({ bank }: { bank: SeenInBank }) {
  const words = [bankStateLabels[bank.state], amountOf(bank)].filter(Boolean).join(": ");
  const hasSurplus = bank.state === "in_bank" && bank.surplusKobo > 0n;
  return (
    <RowSign
      icon={hasSurplus ? IconCoins : signs[bank.state]}
      tone={hasSurplus ? "caution" : tones[bank.state]}
      words={words}
    />
  );
}

/** True if two owners struck it: nothing more is decided on it. */
export const isStruck = ({ bank }: AdminPayment): boolean => bank?.state === "struck";

/** "₦5,000,000 of ₦11,200,000" */
export const partOf = ({ arrivedKobo, missingKobo }: SeenInBank): string =>
  `${formatNaira(arrivedKobo)} of ${formatNaira(arrivedKobo + missingKobo)}`;

/** Returns the arrived amount where it isn't just the needed one: "₦75,000 came, ₦5,000 more than needed". */
function amountOf(bank: SeenInBank): string | null {
  if (bank.state === "part") return partOf(bank);
  const { arrivedKobo, surplusKobo, state } = bank;
  return state === "in_bank" && surplusKobo > 0n
    ? paymentTexts.moreThanNeeded(arrivedKobo + surplusKobo, surplusKobo)
    : null;
}

/** Links to the lines of the bank's statements that explain a payment. */
function BankLines({ lineIds }: { lineIds: readonly number[] }) {
  return lineIds.map((id, index) => (
    <TextLink key={id} to="/admin/bank" search={{ line: id }} size="sm" className={classes.bankLine}>
      {lineIds.length === 1 ? "See the line" : `Line ${index + 1}`}
    </TextLink>
  ));
}
