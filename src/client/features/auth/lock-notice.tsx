import { authTexts } from "#shared/auth.ts";
import classes from "./auth-card.module.css";
import { formatLeft } from "./lock-clock.ts";

/** Says once that the account is locked; the running time beside it is not read out every second. */
export function LockNotice({ secondsLeft }: { secondsLeft: number }) {
  return (
    <div className={classes.notice}>
      <p className={classes.noticeTitle} role="alert">
        {authTexts.lockBanner}
      </p>
      <p role="timer" aria-live="off">
        Too many failed attempts. Try again in <span className={classes.time}>{formatLeft(secondsLeft)}</span>
      </p>
    </div>
  );
}
