import type { RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";

let markHydrated = () => {};
const hydrated = new Promise<void>((resolve) => {
  markHydrated = resolve;
});

/** Marks the page as hydrated. The page itself renders it, because React hydrates what stands around it earlier. */
export function useMarkHydrated(): void {
  useEffect(markHydrated, []);
}

/**
 * Lets navigation wait until the page is hydrated. React hydrates the header first: a link pressed there would replace the
 * page in the middle of its hydration, which then fails.
 */
export function holdNavigationUntilHydrated(history: RouterHistory): void {
  const release = history.block({ enableBeforeUnload: false, blockerFn: () => hydrated.then(() => false) });
  void hydrated.then(release);
}
