/** What counts as activity (specification, section 9). */
const ACTIVITY_EVENTS = ["mousedown", "mousemove", "keypress", "scroll", "touchstart"] as const;
const CHECK_MS = 30_000;
const TOUCH_MS = 30_000;
const SHARE_MS = 1000;
const MINUTE_MS = 60_000;
const KEY = "lastActivity";

const watchers = new Set<() => void>();
const hearers = new Set<(at: number) => void>();

/** For activity that raises no event, such as an upload that is getting on. */
export function noteActivity() {
  for (const watcher of watchers) watcher();
}

/** Another tab says that somebody is there: looks at once instead of at the next check. */
export function hearActivity() {
  for (const hear of hearers) hear(Date.now());
}

/** The moment of the last activity in any tab, as milliseconds; 0 when unknown. */
function sharedActivity(): number {
  try {
    return Number(localStorage.getItem(KEY)) || 0;
  } catch {
    return 0;
  }
}

function shareActivity(at: number) {
  try {
    localStorage.setItem(KEY, String(at));
  } catch {
    // Storage is blocked: this tab then counts for itself.
  }
}

/** A new session starts with a full span, whatever the person before left behind. */
export function resetActivity() {
  shareActivity(Date.now());
}

/**
 * When to warn, in milliseconds of idleness: `warnMinutes` before the limit; where the limit leaves no room for that
 * (2 minutes or less, product decision), at half of it.
 */
export function warnAfterMs(limitMinutes: number, warnMinutes: number): number {
  const isShort = limitMinutes <= 2 || limitMinutes <= warnMinutes;
  return (isShort ? limitMinutes / 2 : limitMinutes - warnMinutes) * MINUTE_MS;
}

/** "2 minutes", "1 minute", "30 seconds": what is left at the warning. */
export function remainingText(limitMinutes: number, warnMinutes: number): string {
  const seconds = (limitMinutes * MINUTE_MS - warnAfterMs(limitMinutes, warnMinutes)) / 1000;
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

type IdleTimerOptions = {
  limitMinutes: number;
  warnMinutes: number;
  /** At most every 30 s after real activity: the call that slides the server's session. */
  onTouch: () => void;
  onWarn: () => void;
  /** Somebody is there again after a warning, here or in another tab. */
  onResume: (where: "here" | "elsewhere") => void;
  onExpire: () => void;
};

/**
 * Watches for activity in all tabs and checks every 30 s. Activity after the limit doesn't revive: the session is over
 * on the server too. Gives the function that stops it.
 */
export function startIdleTimer(options: IdleTimerOptions): () => void {
  const { limitMinutes, warnMinutes, onTouch, onWarn, onResume, onExpire } = options;
  const limitMs = limitMinutes * MINUTE_MS;
  const warnMs = warnAfterMs(limitMinutes, warnMinutes);
  const stored = sharedActivity();
  let last = Date.now() - stored < limitMs ? stored : Date.now();
  let sharedAt = 0;
  let touchedAt = 0;
  let pendingTouch: ReturnType<typeof setTimeout> | undefined;
  let hasWarned = false;

  const resume = (where: "here" | "elsewhere") => {
    if (hasWarned) onResume(where);
    hasWarned = false;
  };

  const hear = (at: number) => {
    if (at <= last) return;
    last = at;
    resume("elsewhere");
  };

  const check = () => {
    hear(sharedActivity());
    const idle = Date.now() - last;
    if (idle >= limitMs) {
      stop();
      onExpire();
    } else if (idle >= warnMs && !hasWarned) {
      hasWarned = true;
      onWarn();
    }
  };

  const touch = () => {
    pendingTouch = undefined;
    touchedAt = Date.now();
    onTouch();
  };

  const onActivity = () => {
    const now = Date.now();
    if (now - last >= limitMs) return check();
    last = now;
    if (now - sharedAt >= SHARE_MS) {
      sharedAt = now;
      shareActivity(now);
    }
    resume("here");
    // The last event of a burst is told too, else the server's session would end before this timer does.
    pendingTouch ??= setTimeout(touch, Math.max(0, touchedAt + TOUCH_MS - now));
  };

  const onVisible = () => {
    if (document.visibilityState === "visible") check();
  };

  const interval = setInterval(check, CHECK_MS);
  for (const event of ACTIVITY_EVENTS) window.addEventListener(event, onActivity, { passive: true, capture: true });
  document.addEventListener("visibilitychange", onVisible);
  watchers.add(onActivity);
  hearers.add(hear);

  function stop() {
    clearInterval(interval);
    clearTimeout(pendingTouch);
    for (const event of ACTIVITY_EVENTS) window.removeEventListener(event, onActivity, { capture: true });
    document.removeEventListener("visibilitychange", onVisible);
    watchers.delete(onActivity);
    hearers.delete(hear);
  }
  return stop;
}
