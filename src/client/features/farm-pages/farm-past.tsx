import type { RouterOutputs } from "#client/lib/trpc.ts";
import { pastFigures, pastYears, farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import classes from "./farm-pages.module.css";

type Past = RouterOutputs["farmPages"]["page"]["past"];

/** The farm's years before this site, apart from its record. */
export function FarmPast({ past }: { past: Past }) {
  if (past.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="past">
      <h2 className={classes.title} id="past">
        {texts.title}
      </h2>
      <p>{texts.notOurs}</p>
      <ul className={classes.told}>
        {past.map((one) => {
          const { id, farmed, outcome, paidBy, evidence } = one;
          const figures = pastFigures(one);
          return (
            <li key={id}>
              <h3 className={classes.toldTitle}>
                {pastYears(one)}: {farmed}
              </h3>
              <p>{outcome}</p>
              {figures && <p>{figures}</p>}
              <p className={classes.fine}>Paid for by: {paidBy}</p>
              <p className={classes.fine}>We have seen evidence: {evidence}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
