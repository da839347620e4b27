import { formatDateTime } from "#shared/dates.ts";
import { dayMs } from "#shared/lagos-time.ts";

/** "Either of them can object until 11 Dec 2026, 10:00 WAT: 3 days left." */
export function DaysLeft({ until, now, isReader = false }: { until: Date; now: Date; isReader?: boolean }) {
  const days = Math.ceil((until.getTime() - now.getTime()) / dayMs);
  if (days <= 0) return <>Its days are over, and it is being carried out.</>;
  return (
    <>
      {isReader ? "You can object" : "Either of them can object"} until {formatDateTime(until)}:{" "}
      {days === 1 ? "the last day" : `${days} days left`}.
    </>
  );
}
