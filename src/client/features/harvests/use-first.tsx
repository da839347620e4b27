import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./manage-harvests.module.css";

const most = 20;

/** The first rows of a long table, and a button for the rest. */
export function useFirst<Row>(rows: readonly Row[], what: string): { shown: readonly Row[]; more: ReactNode } {
  const [isAll, setIsAll] = useState(false);
  if (isAll || rows.length <= most) return { shown: rows, more: null };
  const more = (
    <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAll(true)}>
      Show all {rows.length} {what}
    </Button>
  );
  return { shown: rows.slice(0, most), more };
}
