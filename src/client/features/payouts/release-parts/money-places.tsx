import { formatNaira, type Kobo } from "#shared/money.ts";
import type { MoneyPlaces } from "#shared/projects/release-parts.ts";
import classes from "./money-places.module.css";

type MoneyPlacesProps = { raisedKobo: Kobo; places: MoneyPlaces };

/** Where the money of a round is: sums that add up to what was raised, and a bar that shows them side by side. */
export function MoneyPlacesBar({ raisedKobo, places }: MoneyPlacesProps) {
  const { atFarmKobo, waitingKobo, withUsKobo, returnedKobo } = places;
  const sums = [
    { id: "farm", label: "At the farm", kobo: atFarmKobo },
    { id: "waiting", label: "Waiting for proof", kobo: waitingKobo },
    { id: "us", label: "With us", kobo: withUsKobo },
    ...(returnedKobo > 0n ? [{ id: "returned", label: "Returned to backers", kobo: returnedKobo }] : []),
  ];
  return (
    <div className={classes.places}>
      <div className={classes.bar} aria-hidden="true">
        {sums.map(
          ({ id, kobo }) =>
            kobo > 0n && (
              <span key={id} data-place={id} style={{ flexGrow: Number((kobo * 10_000n) / (raisedKobo || 1n)) }} />
            ),
        )}
      </div>
      <dl className={classes.sums}>
        {sums.map(({ id, label, kobo }) => (
          <div key={id} data-place={id}>
            <dt>{label}</dt>
            <dd className="money">{formatNaira(kobo)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.total}>
        Of <span className="money">{formatNaira(raisedKobo)}</span> raised.
      </p>
    </div>
  );
}
