import { type ReactNode, useId } from "react";
import classes from "./section-card.module.css";

type SectionCardProps = {
  title: string;
  text?: ReactNode;
  level?: 1 | 2;
  /** For links that lead to it. */
  id?: string;
  /** Beside the title: how things stand. */
  aside?: ReactNode;
  children: ReactNode;
};

/** One matter of a page on a card of its own: its name, a sentence, and what can be done. */
export function SectionCard({ title, text, level = 2, id, aside, children }: SectionCardProps) {
  const titleId = useId();
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section className={classes.card} id={id} aria-labelledby={titleId}>
      <div className={classes.head}>
        <Heading className={classes.title} id={titleId}>
          {title}
        </Heading>
        {aside}
      </div>
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </section>
  );
}
