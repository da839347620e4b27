import { IconAlertTriangle, IconCircleCheck, IconClock, IconInfoCircle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./notice.module.css";

const icons = {
  positive: IconCircleCheck,
  waiting: IconClock,
  caution: IconAlertTriangle,
  negative: IconX,
  neutral: IconInfoCircle,
};

type NoticeProps = {
  tone: keyof typeof icons;
  title: ReactNode;
  children?: ReactNode;
  /** Read out when it appears: for what has just gone wrong. */
  isAlert?: boolean;
};

/** A few sentences that a person must not miss, within the page. Word, icon and colour; AAA in both schemes. */
export function Notice({ tone, title, children, isAlert = false }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={classes.notice} data-tone={tone} role={isAlert ? "alert" : undefined}>
      <Icon className={classes.icon} size={22} stroke={2} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children}
      </div>
    </div>
  );
}
