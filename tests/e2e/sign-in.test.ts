import { type Browser, expect, type Page } from "playwright/test";
import { reserveSignIn } from "#server/accounts/sign-in-lock.ts";
import type { Deps } from "#server/platform/deps.ts";
import { test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { type SeededProcess, signInBrowser, startSeededProcess } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";
import { openWatched } from "#tests/support/watched-page.ts";

// Every message of the sign-in pages, at both doors, each provoked by its cause. The lock runs by the page's clock here;
// that the server keeps it to the second is shown by the integration tests.

const HOME = "127.0.0.1";

type People = Record<"backer" | "guest" | "late" | "early" | "unconfirmed" | "blocked" | "owner" | "manager", TestUser>;
let server: SeededProcess<People>;

/** Failures from an address, some time ago. */
async function failTimes(deps: Deps, times: number, email: string, ipAddress: string, secondsAgo = 0) {
  const clock = { now: () => new Date(Date.now() - secondsAgo * 1000) };
  for (let time = 0; time < times; time += 1) {
    await reserveSignIn({ ...deps, clock }, { email, ipAddress, knownDevice: null });
  }
}

test.beforeAll(async () => {
  server = await startSeededProcess(
    async (deps) => {
      const { db } = deps;
      const people = {
        backer: await createUser(db),
        guest: await createUser(db),
        late: await createUser(db),
        early: await createUser(db),
        unconfirmed: await createUser(db, { emailVerifiedAt: null }),
        blocked: await createUser(db, { isBlocked: true }),
        owner: await createAdmin(db, "owner"),
        manager: await createAdmin(db, "manager"),
      };
      await failTimes(deps, 5, people.late.email, HOME, 181);
      return people;
    },
    {
      TRUST_PROXY: HOME,
      REQUIRE_EMAIL_CONFIRMATION: "true",
      GOOGLE_CLIENT_ID: "gona",
      GOOGLE_CLIENT_SECRET: "a-secret",
      // Nobody answers there.
      GOOGLE_ISSUER: "http://127.0.0.1:9",
    },
  );
});
test.afterAll(async () => server.stop());

const visit = (browser: Browser, options = {}) => newVisitor(browser, { baseURL: server.url, ...options });
const emailField = (page: Page) => page.getByLabel("Email");
const passwordField = (page: Page) => page.getByRole("textbox", { name: "Password" });
const submit = (page: Page) => page.getByRole("button", { name: "Sign In" });
const says = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
const saysNot = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toHaveCount(0);

async function enter(page: Page, email: string, password: string) {
  await emailField(page).fill(email);
  await passwordField(page).fill(password);
  await submit(page).click();
}

async function hasSession(page: Page): Promise<boolean> {
  return (await page.context().cookies()).some(({ name }) => name === "session");
}

const doors = [
  {
    path: "/login",
    who: "backer",
    wrong: "Invalid email or password. Please check your credentials and try again.",
  },
  {
    path: "/admin/login",
    who: "manager",
    wrong: "Invalid email or password. Please check your credentials.",
  },
] as const;

const warning = "Multiple failed attempts. Please check your credentials.";
const nowLocked = "Too many failed login attempts. Please wait 3 minutes before trying again.";
const banner = "Account temporarily locked";

for (const { path, who, wrong } of doors) {
  test.describe(path, () => {
    test("warns after more than two failures and locks after five, for three minutes, also after a reload", async ({
      browser,
    }) => {
      const { email, password } = server.prepared[who];
      const { page, problems } = await visit(browser);
      await page.clock.install();
      await page.goto(path);
      const google = page.getByRole("link", { name: "Continue with Google" });
      await expect(google).toBeVisible();
      for (let failures = 1; failures <= 4; failures += 1) {
        await enter(page, email, `Wrong-guess-${failures}`);
        await says(page, wrong);
        await expect(page.getByText(warning)).toHaveCount(failures > 2 ? 1 : 0);
        await expect(emailField(page)).toHaveValue(email);
        await expect(passwordField(page)).toHaveValue(`Wrong-guess-${failures}`);
      }
      await page.reload();
      await says(page, warning);
      await enter(page, email, "Wrong-guess-5");
      await says(page, nowLocked);
      await says(page, banner);
      await saysNot(page, warning);
      const timer = page.getByRole("timer");
      await expect(timer).toHaveText(/^Too many failed attempts\. Try again in (3:00|2:5\d)$/);
      const expectLocked = async () => {
        for (const control of [emailField(page), passwordField(page), submit(page)])
          await expect(control).toBeDisabled();
        await expect(page.getByRole("button", { name: "Continue with Google" })).toBeDisabled();
        await expect(google).toHaveCount(0);
      };
      await expectLocked();
      await expectSound(page);
      await page.clock.fastForward("02:00");
      await expect(timer).toHaveText(/ (1:00|0:[345]\d)$/);

      // The server's time, not the page's, after a reload.
      await page.reload();
      await says(page, banner);
      await expect(timer).toHaveText(/ 2:[345]\d$/);
      await expectLocked();
      await page.clock.fastForward("03:00");
      await saysNot(page, banner);
      await saysNot(page, warning);
      for (const control of [emailField(page), passwordField(page), submit(page), google]) {
        await expect(control).toBeEnabled();
      }

      // The page's clock ran ahead: for the server the three minutes are not over, whatever the password.
      await enter(page, email, password);
      await says(page, "Rate Limited");
      await says(page, "Too many failed attempts. Try again later.");
      await says(page, banner);
      await expectLocked();
      expect(await hasSession(page)).toBe(false);
      expect(problems).toEqual([]);
    });

    test("says that Google can't be reached", { tag: "@nightly" }, async ({ browser }) => {
      const { page } = await visit(browser);
      await page.goto(path);
      await says(page, "Or continue with email");
      await page.getByRole("link", { name: "Continue with Google" }).click();
      await says(page, "Failed to sign in with Google");
      await expect(page).toHaveURL(`${server.url}${path}`);
    });
  });
}

test("a lock of three minutes ago is over, and the right password leads to the profile", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { email, password } = server.prepared.late;
  const { page, problems } = await visit(browser);
  await page.goto("/login");
  await enter(page, ` ${email.toUpperCase()} `, password);
  await expect(page).toHaveURL(`${server.url}/profile`);
  await says(page, email);
  expect(problems).toEqual([]);
});

test("a lock outlives the server's process, on the screen and for the right password", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { email, password } = server.prepared.early;
  const { page } = await visit(browser);
  await page.goto("/login");
  for (let failures = 1; failures <= 5; failures += 1) {
    await enter(page, email, `Wrong-guess-${failures}`);
    await says(page, failures < 5 ? doors[0].wrong : nowLocked);
  }
  await server.restart("SIGKILL");
  await page.reload();
  await says(page, banner);
  await expect(page.getByRole("timer")).toHaveText(/^Too many failed attempts\. Try again in [0-2]:\d\d$/);
  await expect(submit(page)).toBeDisabled();
  const other = await visit(browser);
  await other.page.goto("/login");
  await enter(other.page, email, password);
  await says(other.page, "Rate Limited");
  await says(other.page, banner);
  expect([await hasSession(page), await hasSession(other.page)]).toEqual([false, false]);
});

test("an unconfirmed person learns of it with the right password only, and gets a new link", async ({ browser }) => {
  const { email, password } = server.prepared.unconfirmed;
  const { page } = await visit(browser);
  await page.goto("/login");
  await enter(page, email, "Wrong-guess-1");
  await says(page, doors[0].wrong);
  await enter(page, email, password);
  await says(page, "Please check your email to confirm your account.");
  await expectSound(page);
  await page.getByRole("button", { name: "Send the link again" }).click();
  await says(page, "If this address has an account that waits for confirmation, we have sent a new link.");
  expect(await hasSession(page)).toBe(false);
});

test("a blocked person is told so", { tag: "@nightly" }, async ({ browser }) => {
  const { email, password } = server.prepared.blocked;
  const { page } = await visit(browser);
  await page.goto("/login");
  await enter(page, email, password);
  await says(page, "Your account has been blocked. Please contact support.");
  expect(await hasSession(page)).toBe(false);
});

test.describe("administrators", () => {
  test("find their own page, and come to the dashboard", async ({ browser }) => {
    const { email, password } = server.prepared.owner;
    const { page, problems } = await visit(browser);
    await page.goto("/admin/login");
    await expect(page.getByRole("heading", { level: 1, name: "Admin Login" })).toBeVisible();
    await says(page, "Access the admin dashboard");
    await expectSound(page);
    await enter(page, email, password);
    await says(page, "Logged in as admin");
    await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
    expect(await page.evaluate(() => localStorage.getItem("isAdmin"))).toBe("true");
    expect(problems).toEqual([]);
  });

  test("only: anybody else is told so and signed out", { tag: "@nightly" }, async ({ browser }) => {
    const { guest } = server.prepared;
    const { page } = await visit(browser);
    await signInBrowser(page.context(), server, guest);
    await page.goto("/admin/login");
    await enter(page, guest.email, guest.password);
    await says(page, "You do not have admin access to this application.");
    expect(await hasSession(page)).toBe(false);
    await page.goto("/profile");
    await expect(page).toHaveURL(/\/login/);
  });
});

test.describe("the session", () => {
  test("that has ended leads out at the next look, whichever call takes it", async ({ browser }) => {
    const { page, problems } = await visit(browser);
    await signInBrowser(page.context(), server, server.prepared.guest);
    await openWatched(page, "/profile");
    await says(page, server.prepared.guest.email);
    await page.request.post("/trpc/auth.signOut", { headers: { origin: server.url }, data: { json: {} } });
    await page.evaluate(() => new BroadcastChannel("session").postMessage("signed-in"));
    await expect(page).toHaveURL(`${server.url}/login`);
    await says(page, "Session Expired");
    await says(page, "Your session has expired. Please log in again.");
    expect(problems).toEqual([]);
  });
});
