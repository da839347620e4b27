import { type Browser, type BrowserContext, expect, type Locator, type Page } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import {
  foreignHost,
  type Theme,
  textOf,
  themeNames,
  titleOf,
  writeHostileContent,
} from "#tests/support/hostile-content.ts";
import { mailsSaying } from "#tests/support/hostile-mails.ts";
import { waitForContent } from "#tests/support/screens.ts";
import { type SeededServer, signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";

// Rows that no form of ours would have let through, on every page that shows them: nothing of them runs, nothing asks
// another host, the policy has nothing to block, no phone has to be scrolled sideways, and text is read as text.

let server: SeededServer<Awaited<ReturnType<typeof writeHostileContent>>>;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  server = await startSeededServer(writeHostileContent);
});
test.afterAll(async () => server.stop());
test.describe.configure({ timeout: 180_000 });

type Watched = { page: Page; problems: string[] };

/** Opens a phone that records everything that must not happen. */
async function openPhone(browser: Browser, who?: "backer" | "owner"): Promise<Watched> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  if (who) await signInBrowser(context, server, server.prepared[who]);
  const problems = await watchContext(context);
  const page = await context.newPage();
  // A picture that isn't there is the row's fault; everything else on the console is ours.
  watchErrors(page, { into: problems });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => problems.push(`window: ${popup.url()}`));
  return { page, problems };
}

async function watchContext(context: BrowserContext): Promise<string[]> {
  const problems: string[] = [];
  await context.exposeBinding("pwned", (_source, what) => {
    problems.push(`ran: ${what}`);
  });
  await context.exposeBinding("policyViolated", (_source, what) => {
    problems.push(`policy: ${what}`);
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const tell = (window as unknown as { policyViolated: (what: string) => void }).policyViolated;
      tell(`${violatedDirective} ${blockedURI.slice(0, 100)}`);
    });
  });
  await context.route(
    (url) => /^https?:$/.test(url.protocol) && url.origin !== server.url,
    async (route) => {
      problems.push(`asked: ${route.request().url().slice(0, 200)}`);
      await route.abort();
    },
  );
  return problems;
}

/** Lists the page's faults: whatever neither React nor our code put there, and what sticks out of it at 360 px. */
const lookAt = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = [];
    const describeElement = (element: Element) => element.outerHTML.slice(0, 160);
    for (const element of document.querySelectorAll("*")) {
      const names = element.getAttributeNames();
      if (names.some((name) => name.startsWith("on"))) faults.push(`handler: ${describeElement(element)}`);
      for (const name of ["href", "src", "action", "formaction", "xlink:href", "poster"]) {
        const value = element.getAttribute(name)?.replace(/[\s\p{Cc}]/gu, "") ?? "";
        // A picture drawn into its address is a picture; as an address to go to it is a page.
        if (/^(javascript|vbscript):/i.test(value) || (/^data:/i.test(value) && !/^data:image\//i.test(value)))
          faults.push(`address: ${describeElement(element)}`);
      }
    }
    for (const element of document.querySelectorAll("main :is(script, style, iframe, object, embed, base, meta, link)"))
      faults.push(`element: ${describeElement(element)}`);
    const root = document.documentElement;
    if (root.scrollWidth > window.innerWidth) {
      faults.push(`scrolls sideways: ${root.scrollWidth} px`);
    }
    const isClipped = (element: Element) => {
      for (let above = element.parentElement; above && above !== root; above = above.parentElement) {
        if (above !== document.body && getComputedStyle(above).overflowX !== "visible") return true;
      }
      return false;
    };
    for (const element of document.querySelectorAll("main *, header *, footer *")) {
      const { right, left, width } = element.getBoundingClientRect();
      if (width > 0 && (right > window.innerWidth + 1 || left < -1) && !isClipped(element)) {
        faults.push(`sticks out to ${Math.round(right)} px: ${describeElement(element)}`);
        break;
      }
    }
    return faults;
  });

/** Opens the path, waits for its content, and checks it. All faults are reported at once. */
async function visit(phone: Watched, path: string, shown: string): Promise<void> {
  await phone.page.goto(path);
  await expectShown(phone.page.locator("main"), shown);
  await expectHarmless(phone, path);
}

/** The same by a tap, for pages that the browser alone draws. */
async function showTab(phone: Watched, name: string, shown: string): Promise<void> {
  await phone.page.getByRole("tab", { name, exact: true }).click();
  await expectShown(phone.page.getByRole("tabpanel", { name, exact: true }), shown);
  await expectHarmless(phone, `${name} of ${phone.page.url()}`);
}

async function expectHarmless({ page, problems }: Watched, where: string): Promise<void> {
  await waitForContent(page);
  const faults = await lookAt(page);
  expect.soft([...problems.splice(0), ...faults], where).toEqual([]);
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Expects the place to show the text as the database has it, but for white space. */
async function expectShown(place: Locator, text: string): Promise<void> {
  await expect
    .poll(async () => inOneLine((await place.textContent()) ?? "").includes(inOneLine(text)), {
      message: `the page shows ${text.slice(0, 60)}`,
    })
    .toBe(true);
}

const forEachTheme = async (look: (theme: Theme, id: number) => Promise<void>) => {
  for (const theme of themeNames) await look(theme, server.prepared.ids[theme]);
};

test("to a visitor, a project's page is the words of it and nothing else, and its viewer runs no foreign film", {
  tag: "@nightly",
}, async ({ browser }) => {
  const phone = await openPhone(browser);
  await forEachTheme(async (theme, id) => {
    await visit(phone, `/project/${id}`, textOf(theme));
    await expect(phone.page.getByText("The honest words of the farm.")).toBeVisible();
    await expect(phone.page).toHaveTitle(`${inOneLine(titleOf(theme))} · Gona`);
    await visit(phone, `/project/${id}?tab=updates`, textOf(theme));
    await visit(phone, `/project/${id}?tab=gallery`, textOf(theme));
    await phone.page.getByRole("button", { name: /^YouTube video:/ }).click();
    // The others have no entry at all: no page of ours could show them.
    await expect(phone.page.getByRole("dialog")).toContainText("1 of 1");
    await expectHarmless(phone, `the viewer, ${theme}`);
  });
});

test("lists and searches show the words, whatever is searched for", { tag: "@nightly" }, async ({ browser }) => {
  const phone = await openPhone(browser);
  await visit(phone, "/", titleOf("markup"));
  await visit(phone, "/discover", titleOf("word"));
  const searches = ["%", "_", "\\", "'", '"><img src=x onerror=pwned(1)>', "</script><script>pwned(2)</script>"];
  for (const search of [...searches, "javascript:pwned(3)", "\u202egnp", "👩🏿‍🌾".repeat(20), "w".repeat(5000)]) {
    await phone.page.goto(`/discover?search=${encodeURIComponent(search)}`);
    await expect(phone.page.getByRole("searchbox").last()).toHaveValue(search.trim().slice(0, 100));
    await expectHarmless(phone, `search ${search.slice(0, 20)}`);
  }
  for (const [search, theme] of [
    ["% _ \\", "addresses"],
    ["\\ ' \"", "addresses"],
    ['"script")<', "markup"],
  ] as const) {
    await visit(phone, `/discover?search=${encodeURIComponent(search)}`, titleOf(theme));
    await expect(phone.page.getByRole("article")).toHaveCount(1);
  }
});

test("to a backer, every page of a project is its words", { tag: "@nightly" }, async ({ browser }) => {
  const phone = await openPhone(browser, "backer");
  await forEachTheme(async (theme, id) => {
    await visit(phone, `/backed-project/${id}`, textOf(theme));
    await showTab(phone, "Media", textOf(theme));
    await expect(phone.page.getByRole("link", { name: `Watch on ${foreignHost}` })).toHaveCount(1);
    await showTab(phone, "Messages", textOf(theme));
    await visit(phone, `/back-project/${id}`, titleOf(theme));
  });
});

test("to a backer, the profile, its settings and the notifications are words", { tag: "@nightly" }, async ({
  browser,
}) => {
  const phone = await openPhone(browser, "backer");
  for (const tab of ["backed", "pending", "favorites"]) await visit(phone, `/profile?tab=${tab}`, titleOf("letters"));
  await visit(phone, "/profile/account", "Sign-ins");
  await visit(phone, "/notifications", textOf("markup"));
  await expect(phone.page.locator("main")).toContainText(inOneLine(textOf("word")).slice(0, 100));
  await phone.page.goto("/");
  await phone.page.getByRole("button", { name: /Notifications/ }).click();
  await expect(phone.page.getByText(inOneLine(textOf("addresses"))).first()).toBeVisible();
  expect([...phone.problems, ...(await lookAt(phone.page))]).toEqual([]);
});

test("to an administrator, tables and the receipt's dialog are words", { tag: "@nightly" }, async ({ browser }) => {
  const phone = await openPhone(browser, "owner");
  await visit(phone, "/admin/dashboard", titleOf("markup"));
  await visit(phone, "/admin/payments", titleOf("word"));
  for (const theme of themeNames) {
    const row = phone.page.getByRole("button", { name: /^View Receipt/ });
    await row.nth(themeNames.indexOf(theme)).click();
    await expect(phone.page.getByRole("dialog").getByRole("img").first()).toBeVisible();
    expect.soft([...phone.problems.splice(0), ...(await lookAt(phone.page))], `receipt ${theme}`).toEqual([]);
    await phone.page.keyboard.press("Escape");
    await expect(phone.page.getByRole("dialog")).toHaveCount(0);
  }
  await forEachTheme(async (theme, id) => {
    await visit(phone, `/backed-project/${id}?tab=messages`, textOf(theme));
    await phone.page.goto(`/edit-project/${id}`);
    await expect(phone.page.getByLabel("Title").first()).toHaveValue(titleOf(theme));
    await expectHarmless(phone, `edit ${theme}`);
  });
});

test("to an administrator, the management of a project is words", { tag: "@nightly" }, async ({ browser }) => {
  const phone = await openPhone(browser, "owner");
  await forEachTheme(async (theme, id) => {
    await visit(phone, `/admin/project/${id}?tab=updates`, textOf(theme));
    await showTab(phone, "Messages", textOf(theme));
    await showTab(phone, "Backers", server.prepared.backer.fullName);
    await showTab(phone, "Media", textOf(theme));
    for (const type of ["Videos", "YouTube", "Livestreams"]) {
      await phone.page.getByRole("tab", { name: new RegExp(`^${type} `) }).click();
      await expect(phone.page.getByRole("region", { name: /in the gallery$/ })).toContainText(
        inOneLine(textOf(theme)).slice(0, 60),
      );
      await expectHarmless(phone, `${type} ${theme}`);
    }
  });
});

test("to an administrator, letters are words, and a file is saved under a name that is only a name", {
  tag: "@nightly",
}, async ({ browser }) => {
  const phone = await openPhone(browser, "owner");
  const { page } = phone;
  const openLetter = async (path: string, theme: (typeof themeNames)[number]) => {
    await visit(phone, path, titleOf(theme));
    const letters = page.getByRole("main").getByRole("list").getByRole("link");
    await letters.filter({ hasText: `${theme} farm` }).click();
  };
  for (const theme of themeNames) {
    await openLetter("/admin/messages", theme);
    await expect(page.getByRole("region", { name: "Message" })).toContainText(inOneLine(textOf(theme)).slice(0, 60));
    expect.soft([...phone.problems.splice(0), ...(await lookAt(page))], `message ${theme}`).toEqual([]);

    await openLetter("/admin/applicants", theme);
    const applicant = page.getByRole("region", { name: "Applicant" });
    await expect(applicant).toContainText(`${inOneLine(textOf(theme)).slice(-60)}.pdf`);
    expect.soft([...phone.problems.splice(0), ...(await lookAt(page))], `applicant ${theme}`).toEqual([]);
    await savesAs(page, () => applicant.getByRole("button", { name: "Download resume" }).click());
  }
  await page.goto("/admin/payments");
  for (let row = 0; row < themeNames.length; row++) {
    await page
      .getByRole("button", { name: /^View Receipt/ })
      .nth(row)
      .click();
    await savesAs(page, () => page.getByRole("dialog").getByRole("button", { name: "Download Receipt" }).click());
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  expect(phone.problems).toEqual([]);
});

/** Expects a download whose file name has no path separators and no control characters. */
async function savesAs(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  expect(download.suggestedFilename()).toMatch(/^[^/\\\p{Cc}]+$/u);
  expect(await download.failure()).toBeNull();
}

test("mails are the words of it, on a phone and without a policy", { tag: "@nightly" }, async ({ browser }) => {
  const phone = await openPhone(browser);
  for (const theme of themeNames) {
    const mails = mailsSaying(textOf(theme));
    for (const { html, subject } of mails) {
      await phone.page.setContent(html);
      expect
        .soft([...phone.problems.splice(0), ...(await lookAt(phone.page))], `${theme}: ${subject.slice(0, 60)}`)
        .toEqual([]);
    }
    await phone.page.setContent(mails[0]?.html ?? "");
    await expectShown(phone.page.locator("main"), textOf(theme));
  }
});

test("heads, site map and cards hold nothing that a program could take for markup", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { page } = await openPhone(browser);
  const pageOf = async (id: number) => (await page.request.get(`/project/${id}`)).text();
  const harmless = await pageOf(server.prepared.ids.word);
  await forEachTheme(async (theme, id) => {
    const html = await pageOf(id);
    // Nothing but our own scripts, styles and pictures, as in the page of a project whose texts are plain words.
    for (const tag of [/<script/gi, /<style/gi, /<link/gi, /<img/gi, /<iframe/gi, /<base/gi, /<\/title/gi]) {
      const count = (text: string) => text.match(tag)?.length ?? 0;
      expect(count(html), `${theme} ${tag}`).toBe(count(harmless));
    }
    // How many icons of ours there are depends on what is filled in: none of them does anything.
    expect(html).not.toMatch(/<svg[^>]*\son\w+\s*=/i);
    const { title, description, image } = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "text/html");
      const meta = (name: string) => parsed.querySelector(`meta[property="og:${name}"]`)?.getAttribute("content") ?? "";
      return { title: parsed.title, description: meta("description"), image: meta("image") };
    }, html);
    expect(inOneLine(title)).toBe(`${inOneLine(titleOf(theme))} · Gona`);
    expect(description.length).toBeLessThanOrEqual(200);
    expect(image).toMatch(new RegExp(`^${server.url}/cards/project/${id}\\.jpg\\?v=[0-9a-f]{8}$`));
    const card = await page.request.get(image);
    expect([card.status(), card.headers()["content-type"]]).toEqual([200, "image/jpeg"]);
    const map = await (await page.request.get("/sitemaps/projects-0.xml")).text();
    expect(map).toContain(`<loc>${server.url}/project/${id}</loc>`);
    expect(map).not.toMatch(/pwned|foreign|script/);
  });
});
