import { expect } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { listScreens, openBrowserOf, openScreen, type Screen, type Who } from "#tests/support/screens.ts";
import { type DemoServer, startOtherOperatorsServer } from "#tests/support/seeded-server.ts";
import { otherOperator } from "#tests/support/site.ts";

// A season under another operator: no page has the name of the demo's, neither as the server sends it nor as it is drawn.
let server: DemoServer;
let screens: Screen[];
test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startOtherOperatorsServer();
  screens = await listScreens(server);
});
test.afterAll(async () => server.stop());

for (const who of ["visitor", "backer", "keeper", "owner"] satisfies Who[]) {
  test(`no page of the ${who} names another operator than the site's own`, { tag: "@nightly" }, async ({ context }) => {
    test.setTimeout(600_000);
    const page = await openBrowserOf(who, context, server);
    for (const screen of screens.filter((each) => each.who === who)) {
      await test.step(screen.name, async () => {
        const sent = await context.request.get(`${server.url}${screen.path}`, { headers: { accept: "text/html" } });
        expect.soft(named(await sent.text()), `${screen.path} as it is sent`).toEqual([]);
        await openScreen(page, server.url, screen);
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        const drawn = await page.evaluate(() => [document.title, document.documentElement.outerHTML].join("\n"));
        expect.soft(named(drawn), `${screen.path} as it is drawn`).toEqual([]);
        const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
        expect.soft(named(keys.join("\n")), `keys kept by ${screen.path}`).toEqual([]);
      });
    }
    await expect(page).toHaveTitle(new RegExp(otherOperator.name));
  });
}

/** Each place that has the name, with what stands around it. */
const named = (text: string): string[] => [...text.matchAll(/.{0,60}gona.{0,60}/gis)].map(([found]) => found);
