import { type Browser, expect, type Page } from "playwright/test";
import { type Site, test } from "#tests/support/browser-test.ts";
import { createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { signInBrowser } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { newVisitor } from "#tests/support/visitor.ts";
import { openWatched } from "#tests/support/watched-page.ts";

// Signing in at both doors, a forgotten password, and how a session ends. The lock and the idleness run by the page's clock
// here; that the server keeps them to the second is shown by the integration tests.

let server: Site;
type Who = "backer" | "forgetful" | "idler" | "guest" | "unconfirmed" | "owner";
let people: Record<Who, TestUser>;

test.beforeAll(async ({ demo }) => {
  server = demo;
  people = await demo.prepare(async ({ db }) => ({
    backer: await createUser(db),
    forgetful: await createUser(db),
    idler: await createUser(db),
    guest: await createUser(db),
    unconfirmed: await createUser(db, { emailVerifiedAt: null }),
    owner: await createAdmin(db, "owner"),
  }));
});

const visit = (browser: Browser) => newVisitor(browser, { baseURL: server.url });
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

const wrongAtLogin = "Invalid email or password. Please check your credentials and try again.";
const warning = "Multiple failed attempts. Please check your credentials.";
const banner = "Account temporarily locked";

test("a door warns after more than two failures and locks after five, for three minutes, also after a reload", async ({
  browser,
}) => {
  const { email, password } = people.backer;
  const { page, problems } = await visit(browser);
  await page.clock.install();
  await page.goto("/login");
  await expect(page.getByRole("link", { name: "Continue with Google" })).toBeVisible();
  for (let failures = 1; failures <= 4; failures += 1) {
    await enter(page, email, `Wrong-guess-${failures}`);
    await says(page, wrongAtLogin);
    await expect(page.getByText(warning)).toHaveCount(failures > 2 ? 1 : 0);
    await expect(passwordField(page)).toHaveValue(`Wrong-guess-${failures}`);
  }
  await page.reload();
  await says(page, warning);
  await enter(page, email, "Wrong-guess-5");
  await says(page, "Too many failed login attempts. Please wait 3 minutes before trying again.");
  await says(page, banner);
  await saysNot(page, warning);
  const timer = page.getByRole("timer");
  await expect(timer).toHaveText(/^Too many failed attempts\. Try again in (3:00|2:5\d)$/);
  const controls = [emailField(page), passwordField(page), submit(page)];
  for (const control of controls) await expect(control).toBeDisabled();
  await expect(page.getByRole("button", { name: "Continue with Google" })).toBeDisabled();
  await expectSound(page);
  await page.clock.fastForward("02:00");
  await expect(timer).toHaveText(/ (1:00|0:[345]\d)$/);

  // The server's time, not the page's, after a reload.
  await page.reload();
  await says(page, banner);
  await expect(timer).toHaveText(/ 2:[345]\d$/);
  await page.clock.fastForward("03:00");
  await saysNot(page, banner);
  for (const control of controls) await expect(control).toBeEnabled();

  // The page's clock ran ahead: for the server the three minutes are not over, whatever the password.
  await enter(page, email, password);
  await says(page, "Rate Limited");
  await says(page, "Too many failed attempts. Try again later.");
  await says(page, banner);
  expect(await hasSession(page)).toBe(false);
  expect(problems).toEqual([]);
});

test("an unconfirmed person learns of it with the right password only, and gets a new link", async ({ browser }) => {
  const { email, password } = people.unconfirmed;
  const { page } = await visit(browser);
  await page.goto("/login");
  await enter(page, email, "Wrong-guess-1");
  await says(page, wrongAtLogin);
  await enter(page, email, password);
  await says(page, "Please check your email to confirm your account.");
  await expectSound(page);
  await page.getByRole("button", { name: "Send the link again" }).click();
  await says(page, "If this address has an account that waits for confirmation, we have sent a new link.");
  expect(await hasSession(page)).toBe(false);
});

test("administrators find their own page, and come to the dashboard; others are told so and signed out", async ({
  browser,
}) => {
  const { owner, guest } = people;
  const { page, problems } = await visit(browser);
  await page.goto("/admin/login");
  await expect(page.getByRole("heading", { level: 1, name: "Admin Login" })).toBeVisible();
  await says(page, "Access the admin dashboard");
  await says(page, "Or continue with email");
  await expectSound(page);
  await enter(page, owner.email, "Wrong-guess-1");
  await says(page, "Invalid email or password. Please check your credentials.");
  await enter(page, guest.email, guest.password);
  await says(page, "You do not have admin access to this application.");
  expect(await hasSession(page)).toBe(false);
  await enter(page, owner.email, owner.password);
  await says(page, "Logged in as admin");
  await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
  expect(await page.evaluate(() => localStorage.getItem("isAdmin"))).toBe("true");
  expect(problems).toEqual([]);
});

async function fillPasswords(page: Page, password: string, confirmation = password) {
  await page.getByLabel("New Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(confirmation);
  await page.getByRole("button", { name: "Reset Password" }).click();
}

test("a forgotten password is replaced by a link, and its tabs are signed out", async ({ browser }) => {
  const { email, password } = people.forgetful;
  const newPassword = "Cassava-Harvest-2027";
  const sent = /has an account, we have sent it a link\. Open the link within 60 minutes/;
  const { page, problems } = await visit(browser);
  await page.goto("/login");
  await enter(page, ` ${email.toUpperCase()} `, password);
  await expect(page).toHaveURL(`${server.url}/profile`);

  const reset = await page.context().newPage();
  await reset.goto("/forgot-password");
  await reset.getByRole("button", { name: "Send Reset Link" }).click();
  await says(reset, "Valid email is required");
  await reset.getByLabel("Email").fill("nobody@example.com");
  await reset.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(reset.getByText(sent)).toBeVisible();
  await expectSound(reset);
  await reset.getByRole("button", { name: "Try Another Email" }).click();
  await expect(reset.getByLabel("Email")).toBeFocused();
  await reset.getByLabel("Email").fill(email);
  await reset.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(reset.getByText(sent)).toBeVisible();

  const message = await server.mail.waitFor(({ recipients }) => recipients.includes(email));
  const [link] = /http:\S+\/reset-password#type=recovery&access_token=[0-9a-f]{64}/.exec(message.text ?? "") ?? [];
  await reset.goto(String(link));
  await expect(reset).toHaveURL(`${server.url}/reset-password`);
  await fillPasswords(reset, "12345");
  await says(reset, "Password must be at least 6 characters");
  await fillPasswords(reset, "snailsandgoats");
  await says(reset, "Please choose a stronger password that meets all requirements.");
  await fillPasswords(reset, newPassword, `${newPassword}!`);
  await says(reset, "Passwords don't match");
  await expect(reset.getByLabel("New Password", { exact: true })).toHaveValue(newPassword);
  await reset.evaluate(() => {
    for (const store of [localStorage, sessionStorage]) store.setItem("left-behind", "1");
  });
  await fillPasswords(reset, newPassword);
  await says(reset, "Password updated");
  await says(reset, "Your password has been successfully reset.");
  for (const tab of [reset, page]) await expect(tab).toHaveURL(`${server.url}/login`);
  const left = () => [localStorage, sessionStorage].map((store) => store.getItem("left-behind"));
  expect(await reset.evaluate(left)).toEqual([null, null]);

  await reset.goto("about:blank");
  await reset.goto(String(link));
  await fillPasswords(reset, "Other-Harvest-2028");
  await expect(reset.getByRole("heading", { name: "Invalid or expired password reset link" })).toBeVisible();
  await reset.getByRole("link", { name: "Try Again" }).click();
  await expect(reset).toHaveURL(`${server.url}/forgot-password`);
  await page.goto("/login");
  await enter(page, email, newPassword);
  await expect(page).toHaveURL(`${server.url}/profile`);
  expect(problems).toEqual([]);
});

test("a session that has ended leads out at the next look, whichever call takes it", async ({ browser }) => {
  const { page, problems } = await visit(browser);
  await signInBrowser(page.context(), server, people.guest);
  await openWatched(page, "/profile");
  await says(page, people.guest.email);
  await page.request.post("/trpc/auth.signOut", { headers: { origin: server.url }, data: { json: {} } });
  await page.evaluate(() => new BroadcastChannel("session").postMessage("signed-in"));
  await expect(page).toHaveURL(`${server.url}/login`);
  await says(page, "Session Expired");
  await says(page, "Your session has expired. Please log in again.");
  expect(problems).toEqual([]);
});

test("a session near the end that nothing puts off says so, without a button that promises to stay", async ({
  browser,
}) => {
  const { page, problems } = await visit(browser);
  await signInBrowser(page.context(), server, people.idler);
  await page.route(/\/trpc\/[^?]*auth\.viewer/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"endsInSeconds":\d+/, '"endsInSeconds":270');
    await route.fulfill({ response, body });
  });
  await openWatched(page, "/profile");
  const dialog = page.getByRole("dialog", { name: "Session Expiring Soon" });
  await expect(
    dialog.getByText("You have been signed in for 7 days, which is as long as a session lasts."),
  ).toBeVisible();
  await expect(dialog.getByRole("button")).toHaveText(["", "Go on to save my work", "Log Out"]);
  await expectSound(page);
  await dialog.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(problems).toEqual([]);
});

const minute = 60_000;

// The administrators' session waits for the night: its times are the server's answers, told by auth-sign-in.test.ts.
for (const { who, path, door, limit, warnsAt, warns, ends, tag } of [
  {
    ...({ who: "idler", path: "/profile", door: "/login", limit: 60, warnsAt: 5 } as const),
    tag: [],
    warns: "Your session will expire in less than 5 minutes. Please save your work.",
    ends: "Your session timed out due to inactivity. Please log in again.",
  },
  {
    ...({
      who: "owner",
      path: "/admin/dashboard",
      door: "/admin/login",
      limit: 30,
      warnsAt: 2,
      tag: "@nightly",
    } as const),
    warns: "Your session will expire in less than 2 minutes. Please save your work.",
    ends: "Your admin session timed out due to inactivity.",
  },
]) {
  test(`${path} warns ${warnsAt} minutes before an idle session ends, stays by one button, then is out in all tabs`, {
    tag,
  }, async ({ browser }) => {
    const context = await browser.newContext({ baseURL: server.url });
    await signInBrowser(context, server, people[who]);
    await context.clock.install();
    // Also what is gone: a tab that hears of the end from another, whose clock jumps first, then jumps past its toast.
    await context.addInitScript(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const note = (node: Node) => said.push(node.textContent ?? "");
      new MutationObserver((records) => {
        for (const { addedNodes } of records) addedNodes.forEach(note);
      }).observe(document, { childList: true, subtree: true });
    });
    const tabs = [await context.newPage(), await context.newPage()] as const;
    for (const tab of tabs) {
      await openWatched(tab, path);
      await expect(tab.getByRole("heading", { level: 1 })).toBeVisible();
    }
    const [first] = tabs;
    const dialog = (page: Page) => page.getByRole("dialog", { name: "Session Expiring Soon" });
    const pass = (minutes: number) => context.clock.fastForward(minutes * minute);
    await pass(limit - warnsAt - 1);
    await expect(dialog(first)).toHaveCount(0);
    await pass(1.5);
    for (const tab of tabs) await expect(dialog(tab).getByText(warns)).toBeVisible();
    await expectSound(first);
    await dialog(first).getByRole("button", { name: "Stay signed in" }).click();
    for (const tab of tabs) await expect(dialog(tab)).toHaveCount(0);
    await pass(limit - warnsAt - 1);
    for (const tab of tabs) await expect(dialog(tab)).toHaveCount(0);
    await pass(warnsAt + 2);
    for (const tab of tabs) {
      const said = () => tab.evaluate((): string[] => Reflect.get(window, "said"));
      await expect.poll(said).toContainEqual(expect.stringContaining(ends));
      await expect(tab).toHaveURL(new RegExp(door));
    }
    const viewer = async () => (await first.request.get("/trpc/auth.viewer")).json();
    await expect.poll(viewer).toMatchObject({ result: { data: { json: null } } });
  });
}
