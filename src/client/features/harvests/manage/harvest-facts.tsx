import { formatNaira } from "#shared/money.ts";
import { formatQuantity, unitLabels } from "#shared/projects/terms-texts.ts";
import { type HarvestFacts, type PlannedRound, percentOfPlan, planOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Plan against what came, and what was said about it. */
export function HarvestFactsList({ harvest, round }: { harvest: HarvestFacts; round: PlannedRound }) {
  const { quantity, lostQuantity, referencePriceKobo, note } = harvest;
  const plan = planOf(round);
  const percent = quantity === null ? null : percentOfPlan(quantity, round);
  // The longer of the two bars is the whole width.
  const [, most = 0n] = [plan ?? 0n, quantity ?? 0n].sort((a, b) => (a < b ? -1 : 1));
  const bar = (part: bigint) => (
    <span className={classes.track} aria-hidden="true">
      <span className={classes.bar} style={{ width: `${most === 0n ? 0 : Number((part * 1000n) / most) / 10}%` }} />
    </span>
  );
  return (
    <>
      {quantity !== null && (
        <dl className={classes.plan}>
          {plan !== null && (
            <div data-planned>
              <dt>Planned</dt>
              <dd>{formatQuantity(plan, round.unit)}</dd>
              {bar(plan)}
            </div>
          )}
          <div>
            <dt>Harvested</dt>
            <dd>
              {formatQuantity(quantity, round.unit)}
              {percent !== null && ` (${percent}%)`}
            </dd>
            {plan !== null && bar(quantity)}
          </div>
          {lostQuantity > 0n && (
            <div>
              <dt>Lost before</dt>
              <dd>{formatQuantity(lostQuantity, round.unit)}</dd>
            </div>
          )}
          {referencePriceKobo !== null && (
            <div>
              <dt>Price used for estimates</dt>
              <dd>
                {formatNaira(referencePriceKobo)} a {unitLabels[round.unit].one}
              </dd>
            </div>
          )}
        </dl>
      )}
      {note && <p className={classes.note}>{note}</p>}
    </>
  );
}
