import { type BrowserContext, test as base, type TestInfo } from "playwright/test";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { type OpenIdServer, startOpenIdServer } from "./openid-server.ts";
import { type SharedServer, startSharedServer } from "./seeded-server.ts";

export type Site = SharedServer & { mail: MailServer; openId: OpenIdServer };

/** Playwright's `test`, with a server on the demo, after which no page is left and no answer under way. */
export const test = base.extend<{ leaveNoPages: undefined }, { demo: Site }>({
  /**
   * One for all files of a worker that can share it, as it takes seconds to start: with real mail, confirmed addresses and a
   * Google of its own. Each adds the people and farms that it changes.
   */
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads there what a fixture needs.
    async ({}, use) => {
      const [mail, openId] = [await startMailServer(), await startOpenIdServer()];
      const server = await startSharedServer({
        SMTP_URL: mail.url,
        REQUIRE_EMAIL_CONFIRMATION: "true",
        GOOGLE_CLIENT_ID: "gona",
        GOOGLE_CLIENT_SECRET: "a-secret",
        GOOGLE_ISSUER: openId.issuer,
      });
      await use({ ...server, mail, openId });
      await server.stop();
      await openId.stop();
      await mail.stop();
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
