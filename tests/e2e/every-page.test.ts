import { expect } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import {
  findRoutesWithoutScreen,
  listScreens,
  openBrowserOf,
  openScreen,
  type Screen,
  type Who,
} from "#tests/support/screens.ts";
import type { DemoServer } from "#tests/support/seeded-server.ts";
import { expectSoundPage } from "#tests/support/sound-page.ts";

// Every address on the demo: nothing that axe knows of, nothing to scroll sideways, nothing on the console (where a
// violated policy stands too), and nothing asked of another host.
let server: DemoServer;
let screens: Screen[];
test.beforeAll(async ({ demo }) => {
  server = demo;
  screens = await listScreens(server);
});

test("every route has a screen in the list", () => {
  expect(findRoutesWithoutScreen()).toEqual([]);
});

for (const who of ["visitor", "backer", "owner"] satisfies Who[]) {
  test(`every page is sound for the ${who}, on a computer and in the dark on a phone`, { tag: "@nightly" }, async ({
    context,
  }) => {
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
        await expectSoundPage(page);
        expect(problems, `on the console of ${screen.path}`).toEqual([]);
      });
    }
  });
}

const forms: (Pick<Screen, "path" | "who"> & { send: string })[] = [
  { path: "/login", who: "visitor", send: "Sign In" },
  { path: "/forgot-password", who: "visitor", send: "Send Reset Link" },
  { path: "/contact", who: "visitor", send: "Send Message" },
  { path: "/careers?tab=apply", who: "visitor", send: "Submit Application" },
  { path: "/create-project", who: "owner", send: "Next" },
];

for (const form of forms) {
  test(`the form of ${form.path} is sound with its errors too`, { tag: "@nightly" }, async ({ context }) => {
    const page = await openBrowserOf(form.who, context, server);
    await openScreen(page, server.url, form);
    await page.getByRole("button", { name: form.send, exact: true }).click();
    await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
    await expectSoundPage(page);
  });
}
