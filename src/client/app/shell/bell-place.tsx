import { lazy, Suspense } from "react";
import { useViewer } from "#client/lib/session/session.ts";
import classes from "./header.module.css";

// Without a connection there is no bell; the page around it stays.
const Bell = lazy(() => import("#client/features/notifications/bell.tsx").catch(() => ({ default: () => null })));

/** Holds the bell's place for whoever is signed in, until its code is there. */
export function BellPlace() {
  return (
    useViewer() && (
      <div className={classes.bell}>
        <Suspense>
          <Bell />
        </Suspense>
      </div>
    )
  );
}
