import { type BrowserContext, test as base, type TestInfo } from "playwright/test";
import { type DemoServer, startDemoServer } from "./seeded-server.ts";

/** Playwright's `test`, with a server on the demo, after which no page is left and no answer under way. */
export const test = base.extend<{ leaveNoPages: undefined }, { demo: DemoServer }>({
  /** One for all files of a worker that want no more than the demo, and leave it as it is for the next one. */
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads there what a fixture needs.
    async ({}, use) => {
      const server = await startDemoServer();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  context: async ({ context }, use, testInfo) => {
    await use(context);
    await endRoutes(context, testInfo);
  },
  // A context that a test opens itself would stay until the worker ends, its pages alive.
  leaveNoPages: [
    async ({ browser }, use, testInfo) => {
      const others = new Set(browser.contexts());
      await use(undefined);
      for (const context of browser.contexts()) {
        if (others.has(context)) continue;
        await endRoutes(context, testInfo);
        await context.close();
      }
    },
    { auto: true },
  ],
});

/**
 * Waits for the handlers of routes that are at work: pages ask in the background too, and a handler that changes the
 * server's answer fails where its page is closed meanwhile.
 */
async function endRoutes(context: BrowserContext, { status, expectedStatus }: TestInfo): Promise<void> {
  const behavior = status === expectedStatus ? "wait" : "ignoreErrors";
  for (const each of [context, ...context.pages()]) await each.unrouteAll({ behavior });
}
