import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./payments.module.css";

type ActProps = {
  label: string;
  /** Null where it can't be done now: the words say what to do instead. */
  onPress: (() => void) | null;
  children: ReactNode;
};

/** Something that an owner can do with a payment, and when. */
export function Act({ label, onPress, children }: ActProps) {
  return (
    <div className={classes.act}>
      <p>{children}</p>
      {onPress && (
        <Button variant="default" size="sm" onClick={onPress}>
          {label}
        </Button>
      )}
    </div>
  );
}
