import { siteStorage } from "#client/lib/browser-storage.ts";

/** The events that count as activity (specification, section 9). */
const ACTIVITY_EVENTS = ["mousedown", "mousemove", "keypress", "scroll", "touchstart"] as const;
const CHECK_MS = 30_000;
/** While the warning stands: a device that slept stops its timers, and the warning must not outlive the session. */
const WARNED_CHECK_MS = 1000;
const TOUCH_MS = 30_000;
const SHARE_MS = 1000;
const MINUTE_MS = 60_000;
const ACTIVITY_KEY = "lastActivity";
const END_KEY = "sessionEndsAt";

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

const readMoment = (key: string): number => Number(siteStorage.read(key)) || 0;

/** The moment of the last activity in any tab, as milliseconds; 0 when unknown. */
const sharedActivity = () => readMoment(ACTIVITY_KEY);

/** Where the browser keeps nothing, this tab counts for itself. */
const shareActivity = (at: number) => siteStorage.keep(ACTIVITY_KEY, String(at));

/** The server's word on when idleness ends the session, as a moment of this device's clock; 0 when unknown. */
let ownEnd = 0;
const toldEnd = () => Math.max(ownEnd, readMoment(END_KEY));

function keepEnd(at: number) {
  ownEnd = at;
  siteStorage.keep(END_KEY, String(at));
}

/** To be called with each answer of the server that says how long the session still stands. */
export function noteSessionEnd(at: number) {
  // Of two answers that overtook each other the later end is the newer one.
  if (at <= toldEnd()) return;
  keepEnd(at);
  for (const hear of hearers) hear(0);
}

/** A new session starts with a full span, whatever the person before left behind. */
export function resetActivity() {
  keepEnd(0);
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
  /** True if there is a session that the server ends too; the sign-in pages have none. */
  hasSession: boolean;
  /** At most every 30 s after real activity: the call that slides the server's session. Rejects where it didn't. */
  onTouch: () => Promise<unknown>;
  onWarn: () => void;
  /** After a warning: the session was extended, from here or from another tab. */
  onResume: (where: "here" | "elsewhere") => void;
  onExpire: () => void;
};

type IdleTimer = {
  stop: () => void;
  /** Somebody asks to stay: tells the server now. */
  stay: () => void;
};

/**
 * Watches for activity in all tabs; checks every 30 s, and at the very moments of the warning and of the end. The end is
 * the limit after the last activity, or the server's where that is earlier, since it hasn't heard of the activity then.
 * Activity after the end doesn't revive: the session is over on the server too.
 */
export function startIdleTimer(options: IdleTimerOptions): IdleTimer {
  const { limitMinutes, warnMinutes, hasSession, onTouch, onWarn, onResume, onExpire } = options;
  const limitMs = limitMinutes * MINUTE_MS;
  const warnMs = warnAfterMs(limitMinutes, warnMinutes);
  const stored = sharedActivity();
  let last = Date.now() - stored < limitMs ? stored : Date.now();
  let sharedAt = 0;
  let touchedAt = 0;
  let isTouching = false;
  let pendingTouch: ReturnType<typeof setTimeout> | undefined;
  let nextCheck: ReturnType<typeof setTimeout> | undefined;
  let hasWarned = false;
  let isHere = false;
  let isStopped = false;

  /** The last activity that the server knows of. */
  const toldActivity = () => (hasSession && toldEnd() > 0 ? toldEnd() - limitMs : last);
  // A page that was left before it had told of its last activity never will.
  let isUntold = last - toldActivity() > TOUCH_MS;

  const check = () => {
    last = Math.max(last, sharedActivity());
    const now = Date.now();
    const told = toldActivity();
    const end = Math.min(last, told) + limitMs;
    const warnAt = (isUntold ? Math.min(last, told) : last) + warnMs;
    clearTimeout(nextCheck);
    if (now >= end) {
      stop();
      return onExpire();
    }
    if (now >= warnAt && !hasWarned) {
      hasWarned = true;
      isHere = false;
      onWarn();
    } else if (hasWarned && now < Math.min(last, told) + warnMs) {
      hasWarned = false;
      onResume(isHere ? "here" : "elsewhere");
    }
    const next = hasWarned ? Math.min(WARNED_CHECK_MS, end - now) : Math.min(CHECK_MS, warnAt - now, end - now);
    nextCheck = setTimeout(check, next);
  };

  const touch = async () => {
    clearTimeout(pendingTouch);
    pendingTouch = undefined;
    touchedAt = Date.now();
    isTouching = true;
    try {
      await onTouch();
      isUntold = false;
    } catch {
      isUntold = true;
      if (!isStopped) pendingTouch ??= setTimeout(touch, TOUCH_MS);
    } finally {
      isTouching = false;
    }
    if (!isStopped) check();
  };

  const onActivity = () => {
    const now = Date.now();
    if (now >= Math.min(last, toldActivity()) + limitMs) return check();
    last = now;
    if (now - sharedAt >= SHARE_MS) {
      sharedAt = now;
      shareActivity(now);
    }
    // The last event of a burst is told too, else the server's session would end before this timer does.
    pendingTouch ??= setTimeout(touch, Math.max(0, touchedAt + TOUCH_MS - now));
    if (hasWarned) {
      isHere = true;
      check();
    }
  };

  const hear = (at: number) => {
    last = Math.max(last, at);
    check();
  };

  const stay = () => {
    onActivity();
    if (!isStopped && !isTouching) void touch();
  };

  const onVisible = () => {
    if (document.visibilityState === "visible") check();
  };

  for (const event of ACTIVITY_EVENTS) window.addEventListener(event, onActivity, { passive: true, capture: true });
  document.addEventListener("visibilitychange", onVisible);
  watchers.add(onActivity);
  hearers.add(hear);

  function stop() {
    isStopped = true;
    clearTimeout(nextCheck);
    clearTimeout(pendingTouch);
    for (const event of ACTIVITY_EVENTS) window.removeEventListener(event, onActivity, { capture: true });
    document.removeEventListener("visibilitychange", onVisible);
    watchers.delete(onActivity);
    hearers.delete(hear);
  }

  nextCheck = setTimeout(check);
  return { stop, stay };
}
