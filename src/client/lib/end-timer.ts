const CHECK_MS = 30_000;

type EndTimerOptions = {
  /** A moment of this device's clock, in milliseconds. */
  endsAt: number;
  warnMs: number;
  onWarn: () => void;
  /** Again at every check until it is stopped: whoever decides that it is over may not have been reached. */
  onEnd: () => void;
};

/**
 * Watches for an end that nothing puts off: at once, every 30 s, and when the page is looked at again, since a device
 * that sleeps stops its timers. Gives the function that stops it.
 */
export function startEndTimer({ endsAt, warnMs, onWarn, onEnd }: EndTimerOptions): () => void {
  let hasWarned = false;
  const check = () => {
    const left = endsAt - Date.now();
    if (left <= 0) onEnd();
    else if (left <= warnMs && !hasWarned) {
      hasWarned = true;
      onWarn();
    }
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") check();
  };
  const interval = setInterval(check, CHECK_MS);
  document.addEventListener("visibilitychange", onVisible);
  check();
  return () => {
    clearInterval(interval);
    document.removeEventListener("visibilitychange", onVisible);
  };
}
