import { readFile } from "node:fs/promises";
import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import { startSession } from "#server/accounts/sessions.ts";
import type { Deps } from "#server/platform/deps.ts";
import { absoluteLimitMinutes } from "#shared/accounts/sessions.ts";
import { accountTexts } from "#shared/accounts/texts.ts";
import { test } from "#tests/support/browser-test.ts";
import { watchErrors } from "#tests/support/console-errors.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { createPayment } from "#tests/support/money.ts";
import { createAdmin, createUser, type TestUser, testPassword } from "#tests/support/people.ts";
import { signInBrowser, startSeededServer } from "#tests/support/seeded-server.ts";
import { expectSound } from "#tests/support/sound-page.ts";
import { callOf } from "#tests/support/visitor.ts";
import { openWatched } from "#tests/support/watched-page.ts";

/** The account in the profile, with real mail: each thing that a person can change, and how a session ends. */

let mail: MailServer;
let server: Awaited<ReturnType<typeof start>>;

/** A session in use whose absolute limit is half an hour away. */
async function startOldSession(deps: Deps, { id: userId, isAdmin }: TestUser): Promise<string> {
  const kind = isAdmin ? "admin" : "backer";
  const createdAt = new Date(Date.now() - (absoluteLimitMinutes[kind] - 30) * 60_000);
  return startSession(deps, { userId, kind, device: "Test browser", ipAddress: "127.0.0.1", createdAt });
}

function start(smtpUrl: string) {
  return startSeededServer(
    async (deps) => {
      const backer = await createUser(deps.db, { fullName: "Ifeoma Nwosu" });
      const { payment } = await createPayment(deps, { backer });
      const people: TestUser[] = [];
      for (let index = 0; index < 9; index++) people.push(await createUser(deps.db));
      const [changer, mover, guest, idler, leaver, googler, blocked, sentOut, closer] = people;
      if (!changer || !mover || !guest || !idler || !leaver || !googler || !blocked || !sentOut || !closer) {
        throw new Error("people are missing");
      }
      const owner = await createAdmin(deps.db, "owner");
      const viewer = await createAdmin(deps.db, "viewer");
      const oldSessions = { backer: await startOldSession(deps, leaver), admin: await startOldSession(deps, viewer) };
      return {
        backer,
        payment,
        changer,
        mover,
        guest,
        idler,
        leaver,
        blocked,
        sentOut,
        closer,
        owner,
        viewer,
        oldSessions,
      };
    },
    { SMTP_URL: smtpUrl },
  );
}

test.beforeAll(async () => {
  mail = await startMailServer();
  server = await start(mail.url);
});
test.afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const newPassword = "Cassava-Harvest-2027";

/** Before anything else is looked at: a toast goes after five seconds, which is short on a busy machine. */
const expectToast = (tabs: Page[], text: string) =>
  Promise.all(tabs.map((tab) => expect(tab.getByText(text)).toBeVisible()));

async function visit(context: BrowserContext, path: string) {
  const page = await context.newPage();
  const violations = watchErrors(page, { allowed: /status of 4\d\d/ });
  await openWatched(page, path);
  return { page, violations };
}

async function signedIn(browser: Browser, person: TestUser, options = {}) {
  const context = await browser.newContext({ baseURL: server.url, ...options });
  await signInBrowser(context, server, person);
  return context;
}

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the profile leads to the account settings, which are sound in both schemes", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { page, violations } = await visit(await signedIn(browser, server.prepared.backer), "/profile");
  await expect(page.getByRole("tab")).toHaveText(["Backed Projects", "Pending Approval", "Favorites", "Money"]);
  await page.getByRole("link", { name: "Account settings" }).click();
  await expect(page).toHaveURL(`${server.url}/profile/account`);
  await expect(page.getByRole("heading", { level: 1, name: "Account settings" })).toBeVisible();
  await card(page, "Close account").getByRole("button", { name: "Close my account" }).click();
  await expect(page.getByText(accountTexts.paymentPending)).toBeVisible();
  await expectSound(page);
  expect(violations).toEqual([]);
});

test("an administrator finds the settings, with the second factor", { tag: "@nightly" }, async ({ browser }) => {
  const { page } = await visit(await signedIn(browser, server.prepared.viewer), "/admin/dashboard");
  await page.getByRole("link", { name: /^Account settings of/ }).click();
  await expect(card(page, "Two-factor sign-in")).toBeVisible();
  await expectSound(page);
});

test("a name is changed in place, and a refused one stays typed", { tag: "@nightly" }, async ({ browser }) => {
  const { page } = await visit(await signedIn(browser, server.prepared.changer), "/profile/account");
  const name = card(page, "Name");
  await name.getByLabel("Full Name").fill("x".repeat(201));
  await name.getByRole("button", { name: "Save name" }).click();
  await expect(name.getByText("Full name cannot exceed 200 characters")).toBeVisible();
  await expect(name.getByLabel("Full Name")).toHaveValue("x".repeat(201));
  await name.getByLabel("Full Name").fill("Bukola Ade");
  await name.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("Name changed")).toBeVisible();
  await page.reload();
  await expect(name.getByLabel("Full Name")).toHaveValue("Bukola Ade");
});

test("an email is changed by the link at the new address, and the old one is told", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { mover } = server.prepared;
  const { page, violations } = await visit(await signedIn(browser, mover), "/profile/account");
  const email = card(page, "Email");
  const address = "moved@example.com";
  await email.getByLabel("New Email").fill(address);
  await email.getByLabel("Current Password").fill("Wrong-guess-1");
  await email.getByRole("button", { name: "Change email" }).click();
  await expect(email.getByText("Your current password is not right.")).toBeVisible();
  await expect(email.getByLabel("New Email")).toHaveValue(address);
  await email.getByLabel("Current Password").fill(testPassword);
  await email.getByRole("button", { name: "Change email" }).click();
  await expect(email.getByText(`Waiting for ${address}`)).toBeVisible();

  const message = await mail.waitFor(({ recipients }) => recipients.includes(address));
  const [link] = /http:\S+#type=email_change&access_token=[0-9a-f]{64}/.exec(message.text ?? "") ?? [];
  const phone = await visit(await browser.newContext({ baseURL: server.url }), String(link));
  await expect(phone.page.getByRole("heading", { level: 1, name: "Confirm your new email" })).toBeVisible();
  expect(phone.page.url()).toBe(`${server.url}/auth-callback`);
  await expectSound(phone.page);
  // Opening it has changed nothing.
  await page.reload();
  await expect(email.getByText(`Waiting for ${address}`)).toBeVisible();
  const proof = phone.page.getByLabel("Password of that account");
  await proof.fill("Wrong-guess-1");
  await phone.page.getByRole("button", { name: "Change email" }).click();
  await expect(phone.page.getByText("This is not the password of that account.")).toBeVisible();
  await proof.fill(testPassword);
  await phone.page.getByRole("button", { name: "Change email" }).click();
  await expect(phone.page.getByRole("heading", { level: 1, name: "Email changed" })).toBeVisible();
  await expect(phone.page.getByText(address)).toBeVisible();
  await expectSound(phone.page);
  await phone.page.goto("about:blank");
  await phone.page.goto(String(link));
  await expect(phone.page.getByRole("heading", { level: 1, name: "This link did not work" })).toBeVisible();
  await expectSound(phone.page);

  const notice = await mail.waitFor(({ recipients }) => recipients.includes(mover.email));
  expect(notice.subject).toBe("Your Gona email was changed");
  // The session that asked for the change was another one: it has ended.
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login/);
  expect([...violations, ...phone.violations]).toEqual([]);
});

test("a sign-up is confirmed with its password by a button, and signed in", async ({ browser }) => {
  const { page, violations } = await visit(await browser.newContext({ baseURL: server.url }), "/signup");
  const address = "newcomer@example.com";
  await page.getByLabel("Full Name").fill("Ada Obi");
  await page.getByLabel("Email").fill(address);
  await page.getByRole("textbox", { name: "Password" }).fill(newPassword);
  await page.getByLabel("I agree to the terms of service").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Check your email" })).toBeVisible();
  const message = await mail.waitFor(({ recipients }) => recipients.includes(address));
  const [link] = /http:\S+#type=signup&access_token=[0-9a-f]{64}/.exec(message.text ?? "") ?? [];

  const phone = await visit(await browser.newContext({ baseURL: server.url }), String(link));
  const confirm = phone.page.getByRole("button", { name: "Confirm and sign in" });
  await expect(confirm).toBeVisible();
  expect(phone.page.url()).toBe(`${server.url}/auth-callback`);
  await expectSound(phone.page);
  await confirm.click();
  await expect(phone.page.getByText("Enter the password of the account.")).toBeVisible();
  await phone.page.getByRole("textbox", { name: "Password" }).fill("Wrong-guess-1");
  await confirm.click();
  await expect(phone.page.getByText("This is not the password of that account.")).toBeVisible();
  await phone.page.getByRole("button", { name: "Send me a link for a new password" }).click();
  await expect(phone.page.getByText(/We have sent a link to/)).toBeVisible();
  await phone.page.getByRole("textbox", { name: "Password" }).fill(newPassword);
  await confirm.click();
  await expect(phone.page.getByRole("heading", { level: 1, name: "Email confirmed" })).toBeVisible();
  await expect(phone.page.getByRole("banner").getByRole("link", { name: "Profile" })).toBeVisible();
  expect([...violations, ...phone.violations]).toEqual([]);
});

test("a new password signs out everywhere and leads to sign-in after a second", { tag: "@nightly" }, async ({
  browser,
}) => {
  const { changer } = server.prepared;
  const elsewhere = await visit(await signedIn(browser, changer), "/profile");
  const context = await signedIn(browser, changer);
  const { page } = await visit(context, "/profile/account");
  const other = await visit(context, "/profile");
  const password = card(page, "Password");
  await password.getByLabel("Current Password").fill(testPassword);
  await password.getByLabel("New Password").fill("weak");
  await password.getByRole("button", { name: "Change password" }).click();
  // Once in the list of what it lacks, once at the field.
  await expect(password.getByText("Password must be at least 8 characters long")).toHaveCount(2);
  await expect(password.getByLabel("New Password")).toHaveValue("weak");
  await password.getByLabel("New Password").fill(newPassword);
  await password.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/login`);
  await expect(other.page).toHaveURL(/\/login/);

  // The other browser is led out at its next call.
  await elsewhere.page.mouse.move(50, 50);
  await expectToast([elsewhere.page], "Session Expired");
  await expect(elsewhere.page).toHaveURL(/\/login/);

  await page.getByLabel("Email").fill(changer.email);
  await page.getByRole("textbox", { name: "Password" }).fill(newPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(`${server.url}/profile`);
});

test("sign-ins are listed by device, ended one by one, and all at once", { tag: "@nightly" }, async ({ browser }) => {
  const { guest } = server.prepared;
  const userAgent =
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
  const phone = await visit(await signedIn(browser, guest, { userAgent }), "/profile");
  const { page } = await visit(await signedIn(browser, guest), "/profile/account");
  const list = card(page, "Sign-ins").getByRole("listitem");
  await expect(list).toHaveCount(2);
  await expect(list.first()).toContainText("This device");
  await expect(list.last()).toContainText("Chrome on Android");
  await page.getByRole("button", { name: /^Sign out Chrome on Android/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Current Password")).toBeFocused();
  await dialog.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(dialog.getByText("Enter your current password.")).toBeVisible();
  await dialog.getByLabel("Current Password").fill("Wrong-guess-1");
  await dialog.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(dialog.getByText("Your current password is not right.")).toBeVisible();
  await expect(dialog.getByLabel("Current Password")).toHaveValue("Wrong-guess-1");
  await expectSound(page);
  await dialog.getByLabel("Current Password").fill(testPassword);
  await dialog.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(list).toHaveCount(1);
  await phone.page.mouse.move(50, 50);
  await expect(phone.page).toHaveURL(/\/login/);

  const third = await visit(await signedIn(browser, guest), "/profile");
  await card(page, "Sign-ins").getByRole("button", { name: "Sign out everywhere" }).click();
  await dialog.getByLabel("Current Password").fill(testPassword);
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(`${server.url}/login`);
  await third.page.mouse.move(50, 50);
  await expect(third.page).toHaveURL(/\/login/);
});

test("a person downloads the data", { tag: "@nightly" }, async ({ browser }) => {
  const { backer, payment } = server.prepared;
  const { page, violations } = await visit(await signedIn(browser, backer), "/profile/account");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download my data" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^gona-my-data-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(await readFile(await file.path(), "utf8"));
  expect(data.account).toMatchObject({ email: backer.email, fullName: backer.fullName });
  expect(data.payments).toMatchObject([{ reference: payment.reference, status: "pending" }]);
  await expect(page.getByText("Your data were downloaded")).toBeVisible();
  expect(violations).toEqual([]);
});

test("an account is closed: the words typed, the person gone", { tag: "@nightly" }, async ({ browser }) => {
  const { closer } = server.prepared;
  const { page, violations } = await visit(await signedIn(browser, closer), "/profile/account");
  const close = card(page, "Close account");
  await close.getByRole("button", { name: "Close my account" }).click();
  const submit = close.getByRole("button", { name: "Close for good" });
  await expect(submit).toBeDisabled();
  await close.getByLabel('Type "close my account"').fill("close my account");
  await close.getByLabel("Current Password").fill("Wrong-guess-1");
  await submit.click();
  await expect(close.getByText("Your current password is not right.")).toBeVisible();
  await close.getByLabel("Current Password").fill(testPassword);
  await submit.click();
  await expect(page.getByText("Your account is closed")).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  const last = await mail.waitFor(({ subject }) => subject === "Your Gona account is closed");
  expect(last.recipients).toEqual([closer.email]);
  await page.goto("/login");
  await page.getByLabel("Email").fill(closer.email);
  await page.getByRole("textbox", { name: "Password" }).fill(testPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Invalid email or password.")).toBeVisible();
  expect(violations).toEqual([]);
});

test.describe("idleness", () => {
  const minutes = (count: number) => count * 60_000;

  async function twoTabs(browser: Browser, person: TestUser, path: string) {
    const context = await signedIn(browser, person);
    await context.clock.install();
    await context.addInitScript(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const note = (node: Node) => said.push(node.textContent ?? "");
      new MutationObserver((records) => {
        for (const { addedNodes } of records) addedNodes.forEach(note);
      }).observe(document, { childList: true, subtree: true });
    });
    const tabs: Page[] = [];
    for (let index = 0; index < 2; index++) {
      const page = await context.newPage();
      await openWatched(page, path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      tabs.push(page);
    }
    const [first, second] = tabs;
    if (!first || !second) throw new Error("a tab is missing");
    return { first, second, pass: (ms: number) => context.clock.fastForward(ms) };
  }

  /** Also what is gone: a tab that hears of the end from another, whose clock jumps first, then jumps past its toast. */
  async function expectSaid(tabs: Page[], text: string) {
    const said = (tab: Page) => tab.evaluate((): string[] => Reflect.get(window, "said"));
    for (const tab of tabs) await expect.poll(() => said(tab)).toContainEqual(expect.stringContaining(text));
  }

  const dialog = (page: Page) => page.getByRole("dialog", { name: "Session Expiring Soon" });
  const backersText = "Your session will expire in less than 5 minutes. Please save your work.";

  test("a backer is warned 5 minutes before the end, stays in all tabs by one button, then is out of all at once", async ({
    browser,
  }) => {
    const { first, second, pass } = await twoTabs(browser, server.prepared.idler, "/profile");
    await pass(minutes(54));
    await expect(dialog(first)).toHaveCount(0);
    await pass(minutes(1.5));
    for (const tab of [first, second]) await expect(dialog(tab).getByText(backersText)).toBeVisible();
    await expectSound(first);
    await dialog(first).getByRole("button", { name: "Stay signed in" }).click();
    for (const tab of [first, second]) await expect(dialog(tab)).toHaveCount(0);
    await pass(minutes(50));
    for (const tab of [first, second]) {
      await expect(dialog(tab)).toHaveCount(0);
      await expect(tab).toHaveURL(`${server.url}/profile`);
    }

    await pass(minutes(11));
    await expectSaid([first, second], "Session Expired");
    for (const tab of [first, second]) await expect(tab).toHaveURL(/\/login/);
    const viewer = async () => (await first.request.get(`${server.url}/trpc/auth.viewer`)).json();
    await expect.poll(viewer).toMatchObject({ result: { data: { json: null } } });
  });

  test("any activity keeps the session too, and puts the warning away in all tabs", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const { first, second, pass } = await twoTabs(browser, server.prepared.leaver, "/profile");
    await pass(minutes(56));
    await expect(dialog(second)).toBeVisible();
    await second.mouse.move(20, 20);
    await second.mouse.move(40, 40);
    await second.clock.fastForward(2000);
    for (const tab of [first, second]) await expect(dialog(tab)).toHaveCount(0);
    await pass(minutes(50));
    await expect(dialog(first)).toHaveCount(0);
  });

  test("a tab whose own timer stands still is out with the others", { tag: "@nightly" }, async ({ browser }) => {
    const { guest } = server.prepared;
    const context = await signedIn(browser, guest);
    const { page: asleep } = await visit(context, "/profile");
    const { page } = await visit(context, "/profile");
    for (const tab of [asleep, page]) await expect(tab.getByRole("button", { name: "Log Out" })).toBeVisible();
    await page.evaluate(() => new BroadcastChannel("session").postMessage("expired"));
    await expectToast([asleep, page], "Your session timed out due to inactivity. Please log in again.");
    for (const tab of [asleep, page]) await expect(tab).toHaveURL(/\/login/);
    await signInBrowser(context, server, guest);
    for (const tab of [asleep, page]) await openWatched(tab, "/profile");
    await page.getByRole("button", { name: "Log Out" }).click();
    for (const tab of [asleep, page]) await expect(tab).toHaveURL(/\/login/);
  });

  test("an administrator is warned 2 minutes before the end, in the specified words", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const { first, second, pass } = await twoTabs(browser, server.prepared.viewer, "/admin/dashboard");
    await pass(minutes(27));
    await expect(dialog(first)).toHaveCount(0);
    await pass(minutes(1.5));
    const text = "Your session will expire in less than 2 minutes. Please save your work.";
    await expect(dialog(first).getByText(text)).toBeVisible();
    await pass(minutes(2));
    await expectSaid([first, second], "Your admin session timed out due to inactivity.");
    for (const tab of [first, second]) await expect(tab).toHaveURL(/\/admin\/login/);
  });

  /** An administrators' session with a limit of a minute by the answer: the server's own clock stands anyway. */
  async function openWithMinute(browser: Browser) {
    const context = await signedIn(browser, server.prepared.viewer);
    await context.clock.install();
    const page = await context.newPage();
    await page.route(callOf("auth.viewer"), async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace(/"idleLimitMinutes":\d+/, '"idleLimitMinutes":1')
        .replace(/"idleEndsInSeconds":\d+/, '"idleEndsInSeconds":60');
      await route.fulfill({ response, body });
    });
    await openWatched(page, "/admin/dashboard");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // Not where a check falls by itself.
    await page.clock.runFor(5000);
    const touched = page.waitForResponse(callOf("auth.touch"));
    // A single event: a second one would be told of half a minute later.
    await page.mouse.move(20, 20);
    await touched;
    return page;
  }

  test("of a minute: the warning comes at half of it, once, and is gone with the session", { tag: "@nightly" }, async ({
    browser,
  }) => {
    const page = await openWithMinute(browser);
    await page.clock.runFor(20_000);
    await expect(page.getByText("Session Expiring Soon")).toHaveCount(0);
    await page.clock.runFor(10_000);
    const text = "Your session will expire in less than 30 seconds. Please save your work.";
    await expect(dialog(page).getByText(text)).toBeVisible();
    await expect(page.getByText("Session Expiring Soon")).toHaveCount(1);
    await page.clock.runFor(30_000);
    await expectToast([page], "Your admin session timed out due to inactivity.");
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/admin\/login/);
  });

  test("the warning stays until the server has extended the session", { tag: "@nightly" }, async ({ browser }) => {
    const page = await openWithMinute(browser);
    await page.clock.runFor(30_000);
    await expect(dialog(page)).toBeVisible();
    await page.route(callOf("auth.touch"), (route) => route.abort("connectionrefused"));
    const stay = dialog(page).getByRole("button", { name: "Stay signed in" });
    await stay.click();
    await expectToast([page], "You may be signed out soon");
    await expect(dialog(page)).toBeVisible();
    await page.unroute(callOf("auth.touch"));
    await stay.click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/admin\/dashboard/);
  });

  test("the sign-in and sign-up pages warn after 23 hours, without a dialog", { tag: "@nightly" }, async ({
    browser,
  }) => {
    for (const path of ["/login", "/signup"]) {
      const page = await browser.newPage({ baseURL: server.url });
      await page.clock.install();
      await openWatched(page, path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.clock.fastForward(minutes(1379));
      await expect(page.getByText("Session Expiring Soon")).toHaveCount(0);
      await page.clock.fastForward(minutes(1.5));
      await expect(page.getByText("Your session will expire in less than 60 minutes.")).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.clock.fastForward(minutes(60));
      await expectToast([page], "Session Expired");
      await expect(page).toHaveURL(/\/login/);
    }
  });
});

test("a blocked person's open page says so, and nobody else's", { tag: "@nightly" }, async ({ browser }) => {
  const { blocked, sentOut, viewer } = server.prepared;
  const admin = await signedIn(browser, server.prepared.owner);
  const said = {
    blocked: [blocked, "Your account has been blocked. Please contact support."],
    sentOut: [sentOut, "Your session has expired. Please log in again."],
  } as const;
  for (const [how, [person, text]] of Object.entries(said)) {
    const context = await signedIn(browser, person);
    const { page } = await visit(context, "/profile");
    await expect(page.getByRole("button", { name: "Log Out" })).toBeVisible();
    const [who, procedure] = how === "blocked" ? [admin, "users.block"] : [context, "auth.signOut"];
    const answer = await who.request.post(`/trpc/${procedure}`, {
      headers: { origin: server.url },
      data: { json: { userId: person.id } },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    // The next look tells of it, unless the page has heard of it by itself and gone.
    const look = page.getByRole("tab", { name: "Favorites" }).click();
    await Promise.race([look.catch(() => undefined), page.waitForURL(/\/login/)]);
    await expectToast([page], text);
    await expect(page).toHaveURL(/\/login/);
  }
  // Whoever never signed in to the account here is told nothing of it.
  const ask = async (context: BrowserContext) => {
    const input = encodeURIComponent(JSON.stringify({ json: { userId: blocked.id } }));
    return (await context.request.get(`/trpc/auth.endReason?input=${input}`)).json();
  };
  expect(await ask(await signedIn(browser, viewer))).toMatchObject({ result: { data: { json: "expired" } } });
});

test.describe("the end that no activity puts off", () => {
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Session Expiring Soon" });

  async function openOld(browser: Browser, kind: "backer" | "admin", path: string) {
    const context = await browser.newContext({ baseURL: server.url });
    await context.addCookies([{ name: "session", value: server.prepared.oldSessions[kind], url: server.url }]);
    await context.clock.install();
    const page = await context.newPage();
    // The server's clock stands while the page's is put forward: a look at the session in between is to see both alike.
    let passed = 0;
    await page.route(/\/trpc\/[^?]*auth\.viewer/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        /"endsInSeconds":(\d+)/,
        (_, seconds) => `"endsInSeconds":${Number(seconds) - passed}`,
      );
      await route.fulfill({ response, body });
    });
    const pass = (seconds: number) => {
      passed += seconds;
      return page.clock.fastForward(seconds * 1000);
    };
    await openWatched(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const answer = await (await context.request.get("/trpc/auth.viewer")).json();
    const seconds: number = answer.result.data.json.endsInSeconds;
    return { context, page, pass, passUntil: (left: number) => pass(seconds - left) };
  }

  test("is said to an administrator five minutes before, without a button that promises to stay", {
    tag: "@nightly",
  }, async ({ browser }) => {
    const { context, page, pass, passUntil } = await openOld(browser, "admin", "/admin/dashboard");
    await passUntil(360);
    await page.mouse.move(20, 20);
    await expect(dialog(page)).toHaveCount(0);
    await pass(90);
    await expect(
      dialog(page).getByText(
        "You have been signed in for 12 hours, which is as long as a session lasts. It ends in less than 5 minutes: please save your work. After that you need to sign in again.",
      ),
    ).toBeVisible();
    await expect(dialog(page).getByRole("button")).toHaveText(["", "Go on to save my work", "Log Out"]);
    await expectSound(page);
    // Being there changes nothing.
    await page.mouse.move(40, 40);
    await pass(2);
    await expect(dialog(page)).toBeVisible();
    await dialog(page).getByRole("button", { name: "Go on to save my work" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await pass(60);
    await expect(dialog(page)).toHaveCount(0);

    // The server's own clock stands where it stood: its end of the session is brought about.
    await context.request.post("/trpc/auth.signOut", { headers: { origin: server.url }, data: { json: {} } });
    await pass(300);
    await expectToast([page], "Your admin session has expired. Please log in again.");
    await expect(page).toHaveURL(/\/admin\/login/);
  });

  test("is said to a backer, who may leave at once", { tag: "@nightly" }, async ({ browser }) => {
    const { page, passUntil } = await openOld(browser, "backer", "/profile");
    await passUntil(270);
    await expect(dialog(page).getByText("You have been signed in for 7 days")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Log Out" }).click();
    await expect(page).toHaveURL(/\/login/);
    await expect(dialog(page)).toHaveCount(0);
  });
});
