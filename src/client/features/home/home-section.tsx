import { type ReactNode, useId } from "react";
import classes from "./home-section.module.css";

type HomeSectionProps = { id?: string; title: string; text?: string; link?: ReactNode; children: ReactNode };

/** A part of the home page under its heading, with a way on at the heading's side. */
export function HomeSection({ id, title, text, link, children }: HomeSectionProps) {
  const headingId = useId();
  return (
    <section id={id} className={classes.section} aria-labelledby={headingId}>
      <div className={classes.head}>
        <div>
          <h2 id={headingId} className={classes.title}>
            {title}
          </h2>
          {text && <p className={classes.text}>{text}</p>}
        </div>
        {link}
      </div>
      {children}
    </section>
  );
}
