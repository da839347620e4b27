import { useRouterState } from "@tanstack/react-router";
import classes from "./shell.module.css";

/** A thin line at the top while the next page comes; the style sheet keeps it hidden for the first moment. */
export function NavigationProgress() {
  const isLoading = useRouterState({ select: (state) => state.status === "pending" });
  return isLoading ? <div className={classes.progress} role="progressbar" aria-label="Loading page" /> : null;
}
