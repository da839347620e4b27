import type { ReactNode } from "react";
import classes from "./button-row.module.css";

/** Buttons side by side; on phones they share the whole width. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}
