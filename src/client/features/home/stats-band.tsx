import classes from "./stats-band.module.css";

const stats = [
  { figure: "150+", label: "backers" },
  { figure: "50+", label: "successful projects" },
  { figure: "₦100M+", label: "raised" },
  { figure: "93%", label: "funding success rate for projects that reach 60% of their goal" },
];

/** The claims of the specification's marketing copy, to the letter. */
export function StatsBand() {
  return (
    <section className={classes.band} aria-label="Gona in figures">
      <dl className={classes.stats}>
        {stats.map(({ figure, label }) => (
          <div key={label} className={classes.stat}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.figure}>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
