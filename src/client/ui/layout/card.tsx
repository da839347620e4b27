import { type ReactNode, useId } from "react";
import classes from "./card.module.css";

type CardProps = { title: string; text?: ReactNode; aside?: ReactNode; children: ReactNode };

/** One matter of a screen on a raised surface: its name, a sentence, and what can be done. */
export function Card({ title, text, aside, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <div className={classes.words}>
          <h2 className={classes.title} id={id}>
            {title}
          </h2>
          {text && <p className={classes.text}>{text}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}
