import { useSyncExternalStore } from "react";

/**
 * The locally stored admin flag decides what is shown first and whether gated routes try at all; rights are the
 * server's (product decision). The key is the specification's.
 */
const KEY = "isAdmin";
const listeners = new Set<() => void>();

export function hasAdminFlag(): boolean {
  try {
    return localStorage.getItem(KEY) === "true";
  } catch {
    return false;
  }
}

export function storeAdminFlag(isAdmin: boolean) {
  try {
    if (isAdmin) localStorage.setItem(KEY, "true");
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: the Dashboard button then waits for the viewer.
  }
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
