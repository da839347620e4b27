import { useSyncExternalStore } from "react";
import { siteStorage } from "#client/lib/browser-storage.ts";

/**
 * The locally stored admin flag decides what is shown first and whether gated routes try at all; rights are the
 * server's (product decision). The key is the specification's.
 */
const KEY = "isAdmin";
const listeners = new Set<() => void>();

export const hasAdminFlag = (): boolean => siteStorage.read(KEY) === "true";

export function storeAdminFlag(isAdmin: boolean) {
  // Where the browser keeps nothing, the Dashboard button waits for the viewer.
  siteStorage.keep(KEY, isAdmin ? "true" : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function useAdminFlag(): boolean {
  return useSyncExternalStore(subscribe, hasAdminFlag, () => false);
}
