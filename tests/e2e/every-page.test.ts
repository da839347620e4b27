import { readFileSync } from "node:fs";
import { expect } from "playwright/test";
import { publicPages } from "#server/http/pages/page-heads.ts";
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

for (const who of ["visitor", "backer", "keeper", "owner"] satisfies Who[]) {
  test(`every page is sound for the ${who}, on a computer and in the dark on a phone`, { tag: "@nightly" }, async ({
    context,
  }) => {
    test.setTimeout(600_000);
    const page = await openBrowserOf(who, context, server);
    const problems = watchErrors(page);
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== server.url) problems.push(`asked another host: ${request.url()}`);
    });
    for (const screen of screens.filter((each) => each.who === who)) {
      await test.step(screen.name, async () => {
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

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescapeHtml = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] ?? "");

test("every public page, and a project, has from the server the title that it keeps", { tag: "@nightly" }, async ({
  page,
  request,
}) => {
  const routeTree = readFileSync("src/client/route-tree.gen.ts", "utf8");
  const paths = Object.keys(publicPages).filter((path) => routeTree.includes(`fullPath: "${path}"`));
  const projects = screens.map(({ path }) => path).filter((path) => /^\/project\/\d+$/.test(path));
  expect([paths.includes("/discover"), projects.length > 3]).toEqual([true, true]);
  for (const path of [...paths, ...projects, "/nowhere"]) {
    const answer = await request.get(`${server.url}${path}`, { headers: { accept: "text/html" } });
    const title = unescapeHtml(/<title>(.*?)<\/title>/s.exec(await answer.text())?.[1] ?? "");
    await page.goto(`${server.url}${path}`);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(page, path).toHaveTitle(title);
  }
});
