import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "playwright/test";
import type { Kobo } from "#shared/money.ts";
import { csvOf, line } from "./bank-imports.ts";
import { watchErrors } from "./console-errors.ts";
import { readPdf } from "./pdf-text.ts";
import type { TestUser } from "./people.ts";
import { pngFile } from "./sample-files.ts";
import { type MovableServer, signInBrowser } from "./seeded-server.ts";

/** People's acts in their browsers, for tests that tell a story of several of them. */

export type Person = Pick<TestUser, "email" | "password" | "isAdmin">;

/** Browsers of people, each with a device of its own, and what stands on all their consoles. */
export function openBrowsers(browser: Browser, server: MovableServer) {
  const problems: string[] = [];
  const pages = new Map<Person, { page: Page; signedInAt: number }>();

  /** Somebody's first page: of a backer on a phone, of an administrator on a computer. */
  async function newPage({ isAdmin }: Pick<Person, "isAdmin">): Promise<Page> {
    const viewport = isAdmin ? { width: 1280, height: 900 } : { width: 360, height: 740 };
    const context = await browser.newContext({ baseURL: server.url, viewport });
    // Blank pages have no storage.
    if (isAdmin) {
      await context.addInitScript(() => location.protocol === "about:" || localStorage.setItem("isAdmin", "true"));
    }
    const page = await context.newPage();
    watchErrors(page, { into: problems });
    page.setDefaultTimeout(30_000);
    return page;
  }

  return {
    problems,
    newPage,
    /** The person signed up or in on this page. */
    keep(person: Person, page: Page): void {
      pages.set(person, { page, signedInAt: server.deps.clock.now().getTime() });
    },
    /** The person's page, at this address. The clock's moves end sessions: then they sign in anew. */
    async openAs(person: Person, path: string): Promise<Page> {
      const now = server.deps.clock.now().getTime();
      const known = pages.get(person);
      const page = known?.page ?? (await newPage(person));
      if (!known || now - known.signedInAt > tenMinutesMs) {
        await signInBrowser(page.context(), server, person);
        pages.set(person, { page, signedInAt: now });
      }
      await page.goto(path);
      return page;
    },
  };
}

const tenMinutesMs = 600_000;

export const dialog = (page: Page) => page.getByRole("dialog");
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
export const inDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
export const picture = (name: string) => ({ name, mimeType: "image/png", buffer: pngFile(640, 480) });

/** The button that holds lots, on a site that holds them for a day. */
export const holdButton = /^Hold (my lot|\d+ lots) for 24 hours, ₦[\d,]+$/;

/** Chooses lots and ticks that the terms were read; the press is left to do. */
export async function readTerms(page: Page, lots: number): Promise<void> {
  await expect(page.getByRole("heading", { name: "Harvest terms" })).toBeVisible();
  for (let more = 1; more < lots; more += 1) await page.getByRole("button", { name: "One lot more" }).click();
  await page.getByLabel("I have read the terms.").check();
}

/** The reference that the transfer needs, which stands there once lots are held. */
export async function readReference(page: Page): Promise<string> {
  const reference = page.getByText(/^GONA-\w{4}-\w{4}$/).first();
  await expect(reference).toBeVisible();
  return (await reference.textContent()) ?? "";
}

/** All press at once: what they send arrives together, because it waits on its way until the last one has pressed. */
export async function pressTogether(pages: readonly Page[], name: string | RegExp, procedure: string): Promise<void> {
  let pressed = 0;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  for (const page of pages) {
    await page.route(
      `**/trpc/${procedure}**`,
      async (route) => {
        pressed += 1;
        if (pressed === pages.length) resolve();
        await all;
        await route.continue();
      },
      { times: 1 },
    );
  }
  await Promise.all(pages.map((page) => button(page, name).click()));
  await all;
}

export async function sendReceipt(page: Page): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(picture("receipt.png"));
  await page.getByRole("button", { name: "Send receipt" }).first().click();
  await expect(page.getByText("Payment receipt uploaded successfully.")).toBeVisible();
}

type Moved = { amountKobo: Kobo; narration: string };

/** At /admin/bank an owner imports a statement of one day, which begins with this balance. */
export async function importDay(
  page: Page,
  { day, openingKobo, lines }: { day: string; openingKobo: Kobo; lines: readonly Moved[] },
): Promise<void> {
  const truths = lines.map(({ amountKobo, narration }) => line(day, amountKobo, narration));
  await button(page, "Import a statement").click();
  await dialog(page)
    .getByLabel(/^Statement/)
    .setInputFiles({ name: `statement-${day}.csv`, mimeType: "text/csv", buffer: csvOf({ openingKobo, truths }) });
  await button(page, "Import").click();
  const known = dialog(page).getByText(/^\d+ lines?: \d+ new, 0 known\.$/);
  const question = dialog(page).getByText(/^Is this how the bank writes it\?/);
  await expect(known.or(question)).toBeVisible();
  if (await question.isVisible()) await button(page, "Yes, go on").click();
  await expect(known).toBeVisible();
}

/** In the profile's tab Money a backer says where their money goes. */
export async function giveAccount(
  page: Page,
  { name, accountNumber, password }: { name: string; accountNumber: string; password: string },
): Promise<void> {
  await page.getByLabel("Bank", { exact: true }).selectOption({ label: "Access Bank" });
  await page.getByLabel("Account number").fill(accountNumber);
  await page.getByLabel("Account name").fill(name);
  await page.getByRole("textbox", { name: "Current Password" }).fill(password);
  await button(page, "Save account").click();
  const anyway = button(page, "Use it anyway");
  const saved = page.getByText(/^The account is new/);
  await expect(anyway.or(saved)).toBeVisible();
  if (await anyway.isVisible()) await anyway.click();
  await expect(saved).toBeVisible();
}

export async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Downloads a paper of this number, and reads what it says and the code by which anybody can check it. */
export async function readPaper(page: Page, number: string): Promise<{ text: string; code: string }> {
  const { name, bytes } = await download(page, () => button(page, `Download ${number}`).click());
  expect(name).toBe(`${number}.pdf`);
  const text = await readPdf(bytes);
  expect(text).toContain(number);
  const [code] = /\b[0-9A-Z]{4}(?: [0-9A-Z]{4}){3}\b/.exec(text) ?? [];
  if (!code) throw new Error(`the paper has no code:\n${text}`);
  return { text, code };
}

/** The same in one's profile, where papers are folded. */
export async function readOwnPaper(page: Page, number: string): Promise<{ text: string; code: string }> {
  await page
    .locator("summary")
    .filter({ hasText: /^Papers$/ })
    .click();
  return readPaper(page, number);
}

/** The number of a paper that a mail names, with the link beside it to where the paper is. */
export function paperOf(mails: readonly { recipient: string; text: string }[], { email }: Person, prefix: string) {
  for (const { text } of mails.filter(({ recipient }) => recipient === email)) {
    const [number] = new RegExp(`${prefix}-\\d{4}-\\d{6}`).exec(text) ?? [];
    const [link] = /https?:\/\/\S+\/profile\?tab=money/.exec(text) ?? [];
    if (number && link) return { number, path: new URL(link).pathname + new URL(link).search };
  }
  throw new Error(`no mail to ${email} names a paper ${prefix}`);
}
