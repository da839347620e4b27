import { type ReactNode, useId } from "react";
import classes from "./account-card.module.css";

type AccountCardProps = { title: string; text?: ReactNode; level?: 1 | 2; children: ReactNode };

/** One matter of the account: its name, a sentence, and what can be done. */
export function AccountCard({ title, text, level = 2, children }: AccountCardProps) {
  const id = useId();
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Heading className={classes.title} id={id}>
        {title}
      </Heading>
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </section>
  );
}
