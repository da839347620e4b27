import { type ReactNode, type RefObject, useEffect, useState } from "react";
import classes from "./sticky-action.module.css";

type StickyActionProps = {
  /** The element that it stands in for: shown while no part of that is on the screen. */
  of: RefObject<Element | null>;
  /** From this width on the page keeps its action in sight by itself. */
  until: "tablet" | "desktop";
  /** For IntersectionObserver, where an edge of the screen doesn't count. */
  rootMargin?: string;
  children: ReactNode;
};

/** Phones: the page's one action stays in reach at the bottom once its own place has left the screen. */
export function StickyAction({ of, until, rootMargin = "0px", children }: StickyActionProps) {
  const [isOnScreen, setIsOnScreen] = useState(true);
  useEffect(() => {
    if (!of.current) return;
    const observer = new IntersectionObserver(([entry]) => setIsOnScreen(entry?.isIntersecting ?? true), {
      rootMargin,
    });
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of, rootMargin]);
  if (isOnScreen) return null;
  return (
    <div className={classes.bar} data-until={until}>
      {children}
    </div>
  );
}
