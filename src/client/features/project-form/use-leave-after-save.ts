import { useEffect, useEffectEvent } from "react";

/** How long the success stays in sight before the screen goes on (specification, section 9). */
const REDIRECT_MS = 1500;

/** Leads on a moment after the form was saved, unless the person has left by themselves. */
export function useLeaveAfterSave(isSaved: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isSaved) return;
    const timer = setTimeout(leave, REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isSaved]);
}
