import { IconAlertTriangle, IconCircleCheck, IconClock, IconLock, IconPointFilled, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./status-badge.module.css";

const icons = {
  positive: IconCircleCheck,
  waiting: IconClock,
  caution: IconAlertTriangle,
  negative: IconX,
  closed: IconLock,
  neutral: IconPointFilled,
};

export type StatusTone = keyof typeof icons;

/** A status as word, icon and colour, never colour alone. All tones have AAA contrast in both schemes. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2.25} aria-hidden="true" />
      {children}
    </span>
  );
}
