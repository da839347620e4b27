import classes from "./clauses.module.css";

/** A text in clauses, each with its heading: to be read, not only to be agreed to. */
export function Clauses({ clauses }: { clauses: readonly { title: string; text: string }[] }) {
  return (
    <dl className={classes.clauses}>
      {clauses.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
