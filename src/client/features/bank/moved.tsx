import { formatNairaExact } from "#shared/money.ts";
import classes from "./bank.module.css";

/** An amount with its direction as a sign and for the ear: money in is green, with a plus. */
export function Moved({ kobo }: { kobo: bigint }) {
  const isIn = kobo > 0n;
  return (
    <span className={`${classes.moved} money`} data-in={isIn || undefined}>
      <span className="visually-hidden">{isIn ? "Money in: " : "Money out: "}</span>
      {isIn ? "+" : "−"}
      {formatNairaExact(isIn ? kobo : -kobo)}
    </span>
  );
}
