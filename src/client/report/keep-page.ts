/**
 * Lets this page be loaded without a network until its report is sent. The worker's scope is this page alone, and what
 * is kept goes with the report; signing out removes it too. A browser without service workers does without.
 */
const cacheName = `report ${location.pathname}`;

export async function keepPage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/report-worker.js", { scope: location.pathname });
    const cache = await caches.open(cacheName);
    const files = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && /\.(js|css|woff2)$/.test(pathname));
    await cache.addAll([location.pathname, ...files.map(({ pathname }) => pathname)]);
  } catch {
    // No network already, or a private window: the open page goes on working.
  }
}

export async function forgetPage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    await caches.delete(cacheName);
    await (await navigator.serviceWorker.getRegistration(location.pathname))?.unregister();
  } catch {
    // Nothing was kept.
  }
}
