import { type ReactNode, useEffect, useId } from "react";
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

/** A raised surface for what brings its own heading. */
export function Surface({ as: Element = "div", children }: { as?: "div" | "article"; children: ReactNode }) {
  return <Element className={classes.sectionCard}>{children}</Element>;
}

type SectionCardProps = {
  title: string;
  text?: ReactNode;
  level?: 1 | 2;
  /** For links that lead to it, also from other pages. */
  id?: string;
  /** Beside the title: how things stand. */
  aside?: ReactNode;
  children: ReactNode;
};

/** One matter of a page on a card of its own: its name, a sentence, and what can be done. */
export function SectionCard({ title, text, level = 2, id, aside, children }: SectionCardProps) {
  const titleId = useId();
  // The page had nothing to scroll to when it opened.
  useEffect(() => {
    if (id && window.location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
  }, [id]);
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section className={classes.sectionCard} id={id} aria-labelledby={titleId}>
      <div className={classes.sectionHead}>
        <Heading className={classes.sectionTitle} id={titleId}>
          {title}
        </Heading>
        {aside}
      </div>
      {text && <p className={classes.sectionText}>{text}</p>}
      {children}
    </section>
  );
}
