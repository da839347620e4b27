const CHECK_MS = 30_000;

type EndTimerOptions = {
  /** A moment of this device's clock, in milliseconds. */
  endsAt: number;
  warnMs: number;
  onWarn: () => void;
  /** Again at every check until it is stopped: whoever decides that it is over may see it otherwise. */
  onEnd: () => void;
};

/**
 * Watches for an end that nothing puts off: at once, every 30 s, at the moments of the warning and of the end, and when
 * the page is looked at again, since a device that sleeps stops its timers. Gives the function that stops it.
 */
export function startEndTimer({ endsAt, warnMs, onWarn, onEnd }: EndTimerOptions): () => void {
  let hasWarned = false;
  let nextCheck: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    const left = endsAt - Date.now();
    const untilNext = left > warnMs ? left - warnMs : left;
    clearTimeout(nextCheck);
    nextCheck = setTimeout(check, left > 0 ? Math.min(CHECK_MS, untilNext) : CHECK_MS);
    if (left <= 0) onEnd();
    else if (left <= warnMs && !hasWarned) {
      hasWarned = true;
      onWarn();
    }
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") check();
  };
  document.addEventListener("visibilitychange", onVisible);
  check();
  return () => {
    clearTimeout(nextCheck);
    document.removeEventListener("visibilitychange", onVisible);
  };
}
