import { expect, test } from "vitest";
import { page } from "vitest/browser";
import {
  type Answers,
  alerts,
  backer,
  chooseFiles,
  fitsPhone,
  hasHeading,
  openScreen,
  press,
  refusal,
  says,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt, paymentPage, project } from "#tests/support/screen-samples.ts";

/** /back-project where there is nothing to pay, and the sending of a receipt that goes wrong. */

const filled: Answers = {
  ...backer,
  "payments.open": paymentPage,
  "projects.byId": project,
  "updates.list": { items: [], total: 0 },
  "media.gallery": { items: [], total: 0 },
  "favorites.ids": [],
};
const receipt = new File(["a picture"], "transfer.png", { type: "image/png" });
const file = page.getByLabelText(/^Payment receipt/);
const send = () => page.getByRole("main").getByRole("button", { name: "Send receipt" }).click();
const alert = page.getByRole("main").getByRole("alert");
const sentPage = {
  ...paymentPage,
  ownPayment: {
    ...{ id: 1, projectId: 1, status: "pending" as const, amountKobo: 470_000_000n, lots: 1 },
    ...{ reference: "GONA-ABCD-2345", rejectionReason: null, submittedAt: createdAt, refundDue: null },
  },
};
const sentText = "We have your receipt. We review receipts within one working day and email you.";

test.each(["99999", "none"])("there is no project %s", async (id) => {
  await openScreen(`/back-project/${id}`, { ...filled, "payments.open": refusal("not_found", 404) });
  await hasHeading("Project not found");
});

test("no receipt is taken while the bank details are unset", async () => {
  await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...paymentPage, reference: null, bankDetails: null, blockedBy: "no_bank_details" },
  });
  await hasHeading("Payment details are not available yet. Please contact us.");
  await expect.element(file).not.toBeInTheDocument();
  await fitsPhone();
});

test("a closed project shows no account, and leads on", async () => {
  const closed = { ...paymentPage, project: { ...paymentPage.project, isClosed: true }, reference: null };
  const { path } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...closed, bankDetails: null, blockedBy: "closed" },
    "projects.list": { items: [], nextCursor: null },
  });
  await hasHeading("Project is closed");
  await expect.element(page.getByText(/Please don't transfer any money for it\./)).toBeVisible();
  await expect.element(page.getByText("0000000000")).not.toBeInTheDocument();
  await expect.element(file).not.toBeInTheDocument();
  await fitsPhone();
  await page.getByRole("link", { name: "Discover other projects" }).click();
  await expect.poll(path).toBe("/discover");
});

test("another's receipt under review is told of, and one may go on", async () => {
  await openScreen("/back-project/1", { ...filled, "payments.open": { ...paymentPage, isOtherUnderReview: true } });
  await says("A receipt for this project is under review");
  await expect.element(page.getByRole("main").getByRole("button", { name: "Send receipt" })).toBeEnabled();
});

test("what is no receipt is refused before it is sent, and none is sent without a file", async () => {
  const { uploads } = await openScreen("/back-project/1", filled);
  await send();
  await expect.element(alert).toHaveTextContent("Please choose your payment receipt");
  await expect.element(file).toHaveFocus();
  await chooseFiles(file, new File(["paid"], "notes.txt", { type: "text/plain" }));
  await expect.element(alert).toHaveTextContent("Please upload an image or PDF");
  await send();
  await chooseFiles(file, new File([new Uint8Array(10 * 1024 * 1024 + 1)], "large.png", { type: "image/png" }));
  await expect.element(alert).toHaveTextContent("File size must be less than 10MB");
  await chooseFiles(file, new File([], "transfer.png", { type: "image/png" }));
  await expect.element(alert).toHaveTextContent("This file is empty. Please choose another one.");
  await send();
  expect(uploads).toEqual([]);

  // What only the server can see: the content.
  await chooseFiles(file, receipt);
  await expect.element(alert).not.toBeInTheDocument();
  await send();
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.answer(400, { error: { reason: "invalid", message: "Please upload an image or PDF" } });
  await alerts("Failed to upload payment receipt");
  await expect.element(alert).toHaveTextContent("Please upload an image or PDF");
  await says("transfer.png");
  await press("Remove transfer.png");
  await says("Choose a file");
});

test("a receipt keeps its key when the connection fails, can be stopped, and is not left unasked", async () => {
  const { uploads, path } = await openScreen("/back-project/1", filled);
  const sending = async (count: number) => {
    await send();
    await expect.poll(() => uploads.length).toBe(count);
    const upload = uploads[count - 1];
    if (!upload) throw new Error("nothing was sent");
    return upload;
  };
  await chooseFiles(file, receipt);
  const lost = await sending(1);
  expect(lost.path).toBe("/uploads/receipts");
  lost.lose();
  await alerts("Failed to upload payment receipt");
  await says("Network error. Please check your internet connection.");
  await says("transfer.png");

  const stopped = await sending(2);
  stopped.reach(42);
  await expect.element(page.getByRole("progressbar", { name: "Upload of your receipt" })).toBeVisible();
  await says("42%");
  await page.getByRole("link", { name: "Project page" }).click();
  const question = page.getByRole("dialog", { name: "Leave while your receipt is uploading?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(path()).toBe("/back-project/1");
  await press("Cancel upload");
  await says("transfer.png");
  await expect.element(alert).not.toBeInTheDocument();
  expect(stopped.isStopped).toBe(true);

  const left = await sending(3);
  await page.getByRole("link", { name: "Project page" }).click();
  await question.getByRole("button", { name: "Leave and stop the upload" }).click();
  await expect.element(page.getByRole("tab", { name: "About Project" })).toBeVisible();
  expect(left.isStopped).toBe(true);
  const keys = uploads.map(({ form }) => form.get("idempotencyKey"));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

test("a receipt that is chosen anew has a key of its own", async () => {
  const { answers, uploads } = await openScreen("/back-project/1", filled);
  for (const count of [1, 2]) {
    await chooseFiles(file, receipt);
    await send();
    await expect.poll(() => uploads.length).toBe(count);
    if (count === 1) {
      uploads[0]?.lose();
      await press("Remove transfer.png");
    }
  }
  answers["payments.open"] = sentPage;
  uploads[1]?.answer(200, { paymentId: 1 });
  await tells("Payment receipt uploaded successfully. We'll review your payment shortly.");
  await says(sentText);
  const [first, second] = uploads.map(({ form }) => form.get("idempotencyKey"));
  expect(second).not.toBe(first);
});

test("lots are chosen one by one or typed, within what is free, and sent with the receipt", async () => {
  const round = { lots: 40, lotPriceKobo: 5_000_000n, approvedLots: 37, minimumLots: 40 };
  const { uploads } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...paymentPage, round, mostLots: 3 },
  });
  const lots = page.getByLabelText("Number of lots");
  const less = page.getByRole("button", { name: "One lot less" });
  const more = page.getByRole("button", { name: "One lot more" });
  await hasHeading("Step 1: Transfer ₦50,000");
  await expect.element(less).toBeDisabled();
  await more.click();
  await hasHeading("Step 1: Transfer ₦100,000");
  await more.click();
  await expect.element(more).toBeDisabled();
  await lots.fill("9");
  await expect.element(lots).toHaveValue("3");
  await lots.fill("2");
  await hasHeading("Step 1: Transfer ₦100,000");
  await fitsPhone();
  await chooseFiles(file, receipt);
  await send();
  await expect.poll(() => uploads.length).toBe(1);
  expect(uploads[0]?.form.get("lots")).toBe("2");
});
