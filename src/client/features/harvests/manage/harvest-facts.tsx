import { percentOfPlan } from "#shared/harvests/plan.ts";
import { formatNaira } from "#shared/money.ts";
import { formatQuantity, unitLabels } from "#shared/projects/terms-texts.ts";
import type { HarvestFacts, PlannedRound } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Plan against what came, and what was said about it. */
export function HarvestFactsList({ harvest, round }: { harvest: HarvestFacts; round: PlannedRound }) {
  const { quantity, planned, lostQuantity, referencePriceKobo, note } = harvest;
  const percent = quantity === null ? null : percentOfPlan(quantity, planned);
  // The longer of the two bars is the whole width.
  const [, most = 0n] = [planned ?? 0n, quantity ?? 0n].sort((a, b) => (a < b ? -1 : 1));
  const bar = (part: bigint) => (
    <span className={classes.track} aria-hidden="true">
      <span className={classes.bar} style={{ width: `${most === 0n ? 0 : Number((part * 1000n) / most) / 10}%` }} />
    </span>
  );
  return (
    <>
      {quantity !== null && (
        <dl className={classes.plan}>
          {planned !== null && (
            <div data-planned>
              <dt>Planned</dt>
              <dd>{formatQuantity(planned, round.unit)}</dd>
              {bar(planned)}
            </div>
          )}
          <div>
            <dt>Harvested</dt>
            <dd>
              {formatQuantity(quantity, round.unit)}
              {percent !== null && ` (${percent}%)`}
            </dd>
            {planned !== null && bar(quantity)}
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
