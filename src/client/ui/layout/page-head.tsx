import type { ReactNode } from "react";
import classes from "./page-head.module.css";

/** The heading of a page, one sentence under it, and what stands at its side. */
export function PageHead({ title, text, aside }: { title: string; text?: ReactNode; aside?: ReactNode }) {
  return (
    <header className={classes.head}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        {text && <p className={classes.text}>{text}</p>}
      </div>
      {aside}
    </header>
  );
}
