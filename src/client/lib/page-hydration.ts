import type { RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";

let announce = () => {};
const isMounted = new Promise<void>((resolve) => {
  announce = resolve;
});

/** For what every page renders: it is mounted once React has taken over the page itself, not only what stands around it. */
export function usePageMounted(): void {
  useEffect(announce, []);
}

/**
 * Lets steps to other pages wait for the mounted page. React hydrates the header before the page below it, and a link
 * there that was pressed in between would take the page away from the hydration under way, which fails then.
 */
export function holdStepsUntilMounted(history: RouterHistory): void {
  const release = history.block({
    enableBeforeUnload: false,
    async blockerFn() {
      await isMounted;
      return false;
    },
  });
  void isMounted.then(release);
}
