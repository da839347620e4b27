import type { IconClock } from "@tabler/icons-react";
import type { StatusTone } from "#client/ui/feedback/status-badge.tsx";
import classes from "./payment-columns.module.css";

type RowSignProps = { icon: typeof IconClock; tone: StatusTone; words: string };

/** A mark in a row of the payments' table: a sign with a title, and with its words where the row is a card. */
export function RowSign({ icon: Icon, tone, words }: RowSignProps) {
  return (
    <span className={classes.sign} data-tone={tone} title={words}>
      <Icon size={16} stroke={2.25} aria-hidden="true" />
      <span className={classes.words}>{words}</span>
    </span>
  );
}
