import { expect, test } from "playwright/test";
import { type BuiltServer, startBuiltServer } from "#tests/support/built-server.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import {
  findRoutesWithoutScreen,
  listScreens,
  openBrowserOf,
  openScreen,
  type Screen,
  type Who,
} from "#tests/support/screens.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// Every address on the demo: nothing that axe knows of, nothing to scroll sideways, nothing on the console (where a
// violated policy stands too), and nothing asked of another host.
let server: BuiltServer;
let screens: Screen[];
test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startBuiltServer({ env: { DEMO: "1" } });
  screens = await listScreens(server);
});
test.afterAll(async () => server.stop());

test("every route has a screen in the list", () => {
  expect(findRoutesWithoutScreen()).toEqual([]);
});

for (const who of ["visitor", "backer", "owner"] satisfies Who[]) {
  test(`every page is sound for the ${who}, at both widths and in both schemes`, async ({ context }) => {
    test.setTimeout(400_000);
    const page = await openBrowserOf(who, context, server);
    const problems = watchErrors(page);
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== server.url) problems.push(`asked another host: ${request.url()}`);
    });
    for (const screen of screens.filter((each) => each.who === who)) {
      await test.step(screen.name, async () => {
        await openScreen(page, server.url, screen);
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: width > 500 ? 800 : 740 });
          await expectSound(page);
        }
        expect(problems, `on the console of ${screen.path}`).toEqual([]);
      });
    }
  });
}
