import { type AnyRouter, useRouter } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import type { Site, SiteFacts } from "#shared/site/site.ts";

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Returns the site's facts, as the page came with them, or as an owner has saved them since. */
export function useSite(): SiteFacts {
  const { options } = useRouter();
  const read = () => options.context.site;
  return useSyncExternalStore(subscribe, read, read);
}

/** Shows another profile on this page from now on: an owner has just saved it. */
export function keepSite({ options }: Pick<AnyRouter, "options">, site: Site): void {
  options.context.site = { ...options.context.site, ...site };
  for (const listener of listeners) listener();
}
