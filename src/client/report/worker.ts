/**
 * The service worker of one report's page: without a network it gives the page and its files as `keep-page.ts` has kept them.
 * Cheap phones end the browser while the camera is open, and load its page anew.
 */
type FetchEvent = Event & { request: Request; respondWith: (answer: Promise<Response>) => void };

const findKept = (request: Request) => caches.match(request.url, { ignoreVary: true });

self.addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  if (request.method !== "GET") return;
  const answer =
    request.mode === "navigate"
      ? fetch(request).catch(async (error: unknown) => (await findKept(request)) ?? Promise.reject(error))
      : findKept(request).then((kept) => kept ?? fetch(request));
  respondWith.call(event, answer);
});
