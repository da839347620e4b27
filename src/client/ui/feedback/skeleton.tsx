import type { ReactNode } from "react";
import classes from "./skeleton.module.css";

type SkeletonProps = { width?: string; height?: string; ratio?: string; radius?: string };

/** A grey block in the place of what comes. `ratio` ("16 / 10") for pictures instead of a height. */
export function Skeleton({ width = "100%", height = "1rem", ratio, radius }: SkeletonProps) {
  const size = ratio ? { aspectRatio: ratio } : { height };
  return <span className={classes.block} style={{ width, borderRadius: radius, ...size }} aria-hidden="true" />;
}

/** Lines of text to come; the last one is shorter. */
export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <span className={classes.text} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => {
        const width = line === lines - 1 ? "60%" : "100%";
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move.
        return <Skeleton key={line} width={width} height="0.875rem" />;
      })}
    </span>
  );
}

/** Wraps skeletons: tells assistive technology once that something loads. */
export function Loading({ label = "Loading", children }: { label?: string; children: ReactNode }) {
  return (
    <div role="status" aria-busy="true" aria-label={label}>
      {children}
    </div>
  );
}
