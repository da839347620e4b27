import { expect, type Page } from "playwright/test";
import { type Site, test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { enrol } from "#tests/support/two-factor.ts";
import { newVisitor } from "#tests/support/visitor.ts";

// Signing in with Google in a real browser, with a real OpenID provider on this machine in Google's place.

let server: Site;
let people: { backer: TestUser; known: TestUser; unknown: TestUser; guarded: TestUser; codes: string[] };
let visits = 0;

test.beforeAll(async ({ demo }) => {
  server = demo;
  people = await demo.prepare(async (deps) => {
    const { db } = deps;
    const guarded = await createAdmin(db, "manager");
    const { codes } = await enrol(deps, guarded);
    const [backer, known, unknown] = [await createUser(db), await createUser(db), await createUser(db)];
    return { guarded, codes, backer, known, unknown };
  });
});
test.beforeEach(() => {
  visits += 1;
  server.openId.person = {
    sub: `google-${visits}`,
    email: `ada-${visits}@example.com`,
    email_verified: true,
    name: "Ada Obi",
  };
});

const googleButton = (page: Page, name = "Continue with Google") => page.getByRole("link", { name });

/** Where an account with the same address has a password. */
async function givePassword(page: Page, password = testPassword) {
  await expect(page.getByRole("heading", { name: "You already have an account" })).toBeVisible();
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign In and link Google" }).click();
}

async function viewerOf(page: Page): Promise<{ email: string; isAdmin: boolean } | null> {
  const answer = await page.request.get("/trpc/auth.viewer");
  return (await answer.json()).result.data.json;
}

test("a visitor signs up with Google, and signs in again", async ({ browser }) => {
  const first = await newVisitor(browser, { baseURL: server.url });
  await first.page.goto("/signup");
  await googleButton(first.page, "Sign up with Google").click();
  await expect(first.page).toHaveURL(`${server.url}/`);
  await expect(first.page.getByRole("banner").getByRole("link", { name: "Profile" })).toBeVisible();
  expect(await viewerOf(first.page)).toMatchObject({ email: server.openId.person.email, isAdmin: false });

  const second = await newVisitor(browser, { baseURL: server.url });
  await second.page.goto("/login");
  await googleButton(second.page).click();
  await expect(second.page).toHaveURL(`${server.url}/profile`);
  await expect(second.page.getByText(server.openId.person.email).first()).toBeVisible();
  expect([...first.problems, ...second.problems]).toEqual([]);
});

test("an administrator gives consent, and the code of the second factor, at either page", async ({ browser }) => {
  server.openId.person.email = people.guarded.email;
  for (const [index, [path, target]] of [
    ["/admin/login", "/admin/dashboard"],
    ["/login?next=%2Fdiscover", "/discover"],
  ].entries()) {
    const { page, problems } = await newVisitor(browser, { baseURL: server.url });
    const asked = page.waitForRequest((request) => request.url().startsWith(`${server.openId.issuer}/authorize`));
    await page.goto(String(path));
    await googleButton(page).click();
    if (index === 0) {
      expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({
        redirect_uri: `${server.url}/admin/auth-callback`,
        access_type: "offline",
        prompt: "consent",
        code_challenge_method: "S256",
      });
    }
    // The first time Google is linked by the password.
    if (index === 0) await givePassword(page);
    const field = page.getByRole("textbox", { name: /code/i });
    await expect(field).toBeVisible();
    expect(await viewerOf(page)).toBeNull();
    await page.getByRole("button", { name: /recovery code/i }).click();
    await field.fill(String(people.codes[index]));
    await field.press("Enter");
    await expect(page).toHaveURL(server.url + target);
    expect(await viewerOf(page)).toMatchObject({ email: people.guarded.email, isAdmin: true });
    expect(problems).toEqual([]);
  }
});

test("an account with the address asks for its password, also after a reload, and may do without", {
  tag: "@nightly",
}, async ({ browser }) => {
  const { known, unknown } = people;
  const { page } = await newVisitor(browser, { baseURL: server.url });
  server.openId.person.email = known.email;
  await page.goto("/login?next=%2Fdiscover");
  await googleButton(page).click();
  await expect(page).toHaveURL(`${server.url}/login?next=%2Fdiscover`);
  await givePassword(page, "Wrong-guess-1");
  await expect(page.getByText("This is not the password of that account.")).toBeVisible();
  expect(await viewerOf(page)).toBeNull();
  await expectSound(page);
  await page.reload();
  await givePassword(page);
  await expect(page).toHaveURL(/\/discover/);
  expect(await viewerOf(page)).toMatchObject({ email: known.email });

  const stranger = await newVisitor(browser, { baseURL: server.url });
  await signInBrowser(stranger.page.context(), server, unknown);
  const owner = await newVisitor(browser, { baseURL: server.url });
  server.openId.person = { ...server.openId.person, sub: `owner-${visits}`, email: unknown.email };
  await owner.page.goto("/login");
  await googleButton(owner.page).click();
  await owner.page.getByRole("button", { name: "I don't know the password" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Remove it and sign in" }).click();
  await expect(owner.page).toHaveURL(`${server.url}/profile`);
  expect(await viewerOf(owner.page)).toMatchObject({ email: unknown.email });
  expect(await viewerOf(stranger.page)).toBeNull();
});

test("who says no at Google is back, and is told so", { tag: "@nightly" }, async ({ browser }) => {
  const { page, problems } = await newVisitor(browser, { baseURL: server.url });
  server.openId.tampering = { cancels: true };
  await page.goto("/login");
  await googleButton(page).click();
  await expect(page.getByText("Sign-in with Google was cancelled.")).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/login`);
  server.openId.tampering = {};
  expect(problems).toEqual([]);
});

test("Google is linked and unlinked in the profile", { tag: "@nightly" }, async ({ browser }) => {
  const { page, problems } = await newVisitor(browser, { baseURL: server.url });
  await signInBrowser(page.context(), server, people.backer);
  await page.goto("/profile/account");
  const card = page.getByRole("region", { name: "Sign in with Google" });
  await expect(card.getByText("Not linked")).toBeVisible();
  await card.getByRole("button", { name: "Link Google" }).click();
  await expect(page.getByText("Google linked")).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/profile/account`);
  await expect(card.getByText(server.openId.person.email)).toBeVisible();
  await expectSound(page);

  const again = await newVisitor(browser, { baseURL: server.url });
  await again.page.goto("/login");
  await googleButton(again.page).click();
  await expect(again.page).toHaveURL(`${server.url}/profile`);
  expect(await viewerOf(again.page)).toMatchObject({ email: people.backer.email });

  await card.getByRole("button", { name: "Unlink Google" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink Google" }).click();
  await expect(card.getByText("Not linked")).toBeVisible();
  expect([...problems, ...again.problems]).toEqual([]);
});
