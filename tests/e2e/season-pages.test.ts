import { expect } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import type { BuiltServer } from "#tests/support/built-server.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { listSeasonScreens, openBrowserOf, openScreen, type Screen, type Who } from "#tests/support/screens.ts";
import { startEmptyServer } from "#tests/support/seeded-server.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";
import { readPaper } from "#tests/support/story.ts";

// The screens of every-page.test.ts that are empty there, because the demo of the other tests has no season: this server
// loads the whole demo as a first start does.
test.use({ contextOptions: { reducedMotion: "reduce" } });
let server: BuiltServer;
let screens: Screen[];
test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startEmptyServer({ DEMO: "1" });
  screens = await listSeasonScreens(server);
});
test.afterAll(async () => server.stop());

for (const who of ["visitor", "backer", "owner"] satisfies Who[]) {
  test(`the season's pages are sound for the ${who}, on a computer and in the dark on a phone`, async ({ context }) => {
    test.setTimeout(200_000);
    const page = await openBrowserOf(who, context, server);
    const problems = watchErrors(page);
    for (const screen of screens.filter((each) => each.who === who)) {
      await test.step(screen.path, async () => {
        await openScreen(page, server.url, screen);
        // Harvests that are over are folded.
        await page.evaluate(() => {
          for (const details of document.querySelectorAll("main details")) details.setAttribute("open", "");
        });
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        await expectSoundPage(page);
        expect(problems, `on the console of ${screen.path}`).toEqual([]);
      });
    }
  });
}

test("a paper of the season is sound where anybody checks it", async ({ context }) => {
  const page = await openBrowserOf("backer", context, server);
  await openScreen(page, server.url, { path: "/profile?tab=money" });
  const label = await page
    .getByRole("button", { name: /^Download G/ })
    .first()
    .getAttribute("aria-label");
  const { code } = await readPaper(page, String(label).replace("Download ", ""));
  await openScreen(page, server.url, { path: `/verify/${code.replaceAll(" ", "")}` });
  await expect(page.getByText(/^This paper is genuine/)).toBeVisible();
  await expectSoundPage(page);
});
