import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterInputs, RouterOutputs } from "#client/lib/trpc.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { type Answers, alerts, dialog, hasHeading, openScreen, owner, serverFault } from "#tests/support/app-screen.ts";
import { payment } from "#tests/support/screen-samples.ts";

/** The administrators' payments: what the list opens on, its rows, and the way through it in the review dialog. */

type Listed = RouterOutputs["payments"]["list"];
type Asked = RouterInputs["payments"]["list"];

const named = (id: number, backerName: string, more: Partial<typeof payment> = {}) => ({
  ...payment,
  id,
  backerName,
  receipt: null,
  ...more,
});
const [amina, bola, chike, dayo] = [
  named(4, "Amina Sule"),
  named(3, "Bola Adeyinka"),
  named(2, "Chike Eze"),
  named(1, "Dayo Ajayi"),
] as const;

/** Two to a page, as the server would answer; a decision changes what it answers next. */
function serve(rows: (typeof payment)[]) {
  const asked: Asked[] = [];
  const list = (input: Asked): Listed => {
    asked.push(input);
    const chosen = rows.filter(({ status }) => !input.status || status === input.status);
    const start = Number(input.cursor ?? 0);
    const nextCursor = start + 2 < chosen.length ? String(start + 2) : null;
    return {
      items: chosen.slice(start, start + 2),
      nextCursor,
      canProcess: true,
      isBankKnown: false,
      unseenLimit: null,
    };
  };
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const answers: Answers = {
    ...owner,
    "payments.list": list,
    "payments.projects": { items: [] },
    "payments.statusCounts": () => ({
      pending: count("pending"),
      approved: count("approved"),
      rejected: count("rejected"),
      late: 0,
    }),
    "payments.setStatus": ({ paymentId, status }) => {
      rows = rows.map((row) => (row.id === paymentId ? { ...row, status } : row));
      return { paymentId, projectId: 1, status };
    },
  };
  return { answers, asked, list };
}

const view = ({ backerName }: typeof payment) =>
  page.getByRole("button", { name: `View Payment of ${backerName} for ${payment.projectTitle}` }).click();
const shows = ({ backerName }: typeof payment) =>
  expect.element(dialog.getByRole("definition").filter({ hasText: backerName })).toBeVisible();
const next = dialog.getByRole("button", { name: "Next" });
const previous = dialog.getByRole("button", { name: "Previous" });
const approve = async () => {
  await dialog.getByRole("button", { name: "Approve…" }).click();
  await dialog.getByRole("button", { name: "Approve payment" }).click();
};

test("the list opens on what is pending; each status says how many it has, and all are an explicit choice", async () => {
  const { answers, asked } = serve([{ ...chike, status: "approved" }, amina, bola]);
  await openScreen("/admin/payments", answers);
  const filter = page.getByRole("navigation", { name: "Filter by status" });
  await expect.element(filter.getByRole("link", { name: "Pending 2" })).toHaveAttribute("aria-current", "page");
  expect(asked.at(-1)).toMatchObject({ status: "pending" });
  for (const name of ["Approved 1", "Rejected 0", "All 3"])
    await expect.element(filter.getByRole("link", { name })).toBeVisible();
  const all = filter.getByRole("link", { name: "All 3" });
  await expect.element(all).toHaveAttribute("href", "/admin/payments?status=all");
  await all.click();
  await expect.element(all).toHaveAttribute("aria-current", "page");
  await expect.element(page.getByText(chike.backerName)).toBeVisible();
  expect(asked.at(-1)?.status).toBeUndefined();
});

test("counts that can't be fetched are left out, and none are asked for by what the bank shows", async () => {
  const { answers } = serve([amina]);
  const counted: unknown[] = [];
  const count = (input: unknown) => {
    counted.push(input);
    return serverFault;
  };
  await openScreen("/admin/payments?bank=part", { ...answers, "payments.statusCounts": count });
  await expect.element(page.getByText(amina.backerName)).toBeVisible();
  expect(counted).toEqual([]);
  await page.getByRole("link", { name: "Any" }).click();
  await expect.poll(() => counted.length).toBeGreaterThan(0);
  await expect.element(page.getByRole("link", { name: "Pending", exact: true })).toBeVisible();
});

test("rows are of 48 px, and what is cut has a title", async () => {
  const long = named(5, "Oluwaseun Adebayo-Williams of the Cooperative Society", {
    projectTitle: "Forty hectares of cassava with a mill, two tractors and a road at Iseyin",
    lots: 12,
    refundDue: "lots_gone" as const,
    refundKobo: 100n,
    restBy: new Date("2026-01-01"),
    roundLots: 40,
    receipt: payment.receipt && { ...payment.receipt, isUsedBefore: true },
  });
  const { answers } = serve([amina, long]);
  const { innerWidth, innerHeight } = window;
  onTestFinished(() => page.viewport(innerWidth, innerHeight));
  for (const width of [1000, 1280]) {
    await page.viewport(width, 800);
    await openScreen("/admin/payments", answers);
    await expect.element(page.getByText(long.backerName)).toBeVisible();
    const heights = [...document.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect().height);
    expect(heights.map(Math.floor)).toEqual([48, 48]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
  for (const text of [long.backerName, long.backerEmail, long.projectTitle, "Lots taken, refund due"])
    await expect.element(page.getByTitle(text, { exact: true }).last()).toBeInTheDocument();
});

test("next and previous walk through the list as filtered, and load its next page", async () => {
  const { answers, asked } = serve([amina, { ...bola, status: "approved" }, chike, dayo]);
  await openScreen("/admin/payments", answers);
  await view(amina);
  await shows(amina);
  await expect.element(dialog.getByText(/, 1 of 3$/)).toBeVisible();
  await expect.element(previous).toHaveAttribute("aria-disabled", "true");
  await next.click();
  await shows(chike);
  expect(asked.some(({ cursor }) => cursor)).toBe(false);
  await next.click();
  await shows(dayo);
  await expect.element(dialog.getByText(/, 3 of 3$/)).toBeVisible();
  await expect.element(next).toHaveAttribute("aria-disabled", "true");
  await expect.element(next).toHaveFocus();
  await previous.click();
  await shows(chike);
});

test("a next page that can't be fetched is told of, and the payment stays", async () => {
  const { answers, list } = serve([amina, bola, chike]);
  await openScreen("/admin/payments", {
    ...answers,
    "payments.list": (input) => (input.cursor ? serverFault : list(input)),
  });
  await view(bola);
  await next.click();
  await alerts(paymentTexts.fetchFailed);
  await shows(bola);
});

test("the keyboard walks too, with arrows and with J and K, but not out of a form", async () => {
  const { answers } = serve([amina, bola]);
  await openScreen("/admin/payments", answers);
  await view(amina);
  await shows(amina);
  for (const [key, shown] of [
    ["{ArrowRight}", bola],
    ["{ArrowLeft}", amina],
    ["j", bola],
    ["k", amina],
  ] as const) {
    await userEvent.keyboard(key);
    await shows(shown);
  }
  await dialog.getByRole("button", { name: "Reject…" }).click();
  const reason = dialog.getByLabelText("Reason (optional)");
  await userEvent.type(reason, "jk{ArrowRight}");
  await expect.element(reason).toHaveValue("jk");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await shows(amina);
  await userEvent.keyboard("{ArrowRight}");
  await shows(bola);
});

test("a decision leads on to the next that waits, over the page's end and to earlier ones, until none is left", async () => {
  const { answers } = serve([amina, bola, chike, dayo]);
  await openScreen("/admin/payments", answers);
  await view(bola);
  await shows(bola);
  await approve();
  await shows(chike);
  await next.click();
  await shows(dayo);
  await approve();
  await shows(amina);
  await expect.element(dialog.getByText(/, 1 of 2$/)).toBeVisible();
  await approve();
  await shows(chike);
  await approve();
  await expect.element(dialog.getByRole("heading", { name: "Nothing else is pending" })).toBeVisible();
  await dialog.getByRole("button", { name: "Back to the list" }).click();
  await hasHeading("No pending payments");
  await expect.element(page.getByRole("link", { name: "Approved 4" })).toBeVisible();
});

test("among all payments those that are decided are passed over, and a list without pending ones closes the dialog", async () => {
  const { answers } = serve([amina, { ...bola, status: "approved" }, { ...chike, status: "rejected" }, dayo]);
  await openScreen("/admin/payments?status=all", answers);
  await view(amina);
  await approve();
  await shows(dayo);
  await userEvent.keyboard("{Escape}");
  await page.getByRole("link", { name: "Rejected 1" }).click();
  await view(chike);
  await approve();
  await expect.element(dialog).not.toBeInTheDocument();
});
