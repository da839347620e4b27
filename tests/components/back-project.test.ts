import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { uploadTexts } from "#shared/files.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import {
  type Answers,
  alerts,
  backer,
  chooseFiles,
  fitsPhone,
  hasHeading,
  onPhone,
  openScreen,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt, paymentPage, project } from "#tests/support/screen-samples.ts";

/** /back-project: where there is nothing to pay, lots and terms, holds, and the sending of a receipt that goes wrong. */

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
    id: 1,
    projectId: 1,
    status: "pending" as const,
    amountKobo: 470_000_000n,
    lots: 1,
    reference: "GONA-ABCD-2345",
    rejectionReason: null,
    submittedAt: createdAt,
    refundDue: null,
    refundKobo: null,
    arrivedKobo: 0n,
    restBy: null,
    lateText: null,
    roundLots: 1,
  },
};
const sentText = "We have your receipt. We review receipts within one working day and email you.";

test("whose money is on the way back reads so, and isn't asked for the receipt again", async () => {
  const ownPayment = {
    ...sentPage.ownPayment,
    status: "rejected" as const,
    refundDue: "not_funded" as const,
    refundKobo: 470_000_000n,
  };
  await openScreen("/back-project/1", { ...filled, "payments.open": { ...paymentPage, ownPayment } });
  await says("Not funded, refund due");
  await says(paymentTexts.dueBack("₦4,700,000"));
  await says("Paying again is a new transfer.");
  await expect.element(page.getByText("We could not approve your last receipt")).not.toBeInTheDocument();
});

/** ₦7,000,000 of ten lots for ₦11,200,000 are here. */
const partPage = {
  ...paymentPage,
  bankDetails: { bankName: "Sample Bank", accountName: "Gona Farms", accountNumber: "0123456789" },
  round: { ...paymentPage.round, lots: 40, lotPriceKobo: 112_000_000n },
  ownPayment: {
    ...sentPage.ownPayment,
    amountKobo: 1_120_000_000n,
    lots: 10,
    roundLots: 40,
    arrivedKobo: 700_000_000n,
    restBy: new Date("2099-11-24T17:00:00Z"),
    lateText: null,
  },
};

test("whose money has arrived in part reads what is missing, until when, and where to send it", async () => {
  await openScreen("/back-project/1", { ...filled, "payments.open": partPage });
  await says("₦7,000,000 of ₦11,200,000 has arrived.");
  await says("Send the rest with the same reference by Tuesday 18:00.");
  await expect.element(page.getByText("There is nothing else you need to do.")).not.toBeInTheDocument();
  await hasHeading("Step 1: Transfer ₦4,200,000");
  await expect.element(page.getByText("0123456789")).toBeVisible();
  await expect.element(page.getByText(sentText)).not.toBeInTheDocument();
  await fitsPhone();
});

test("whose rest is late reads so, and who paid no whole lot can't reduce", async () => {
  const ownPayment = {
    ...partPage.ownPayment,
    lots: 1,
    restBy: new Date("2020-11-24T17:00:00Z"),
    lateText: null,
    arrivedKobo: 100_000n,
  };
  await openScreen("/back-project/1", { ...filled, "payments.open": { ...partPage, ownPayment } });
  await says("The rest was expected by 24 Nov 2020, 18:00 WAT. Please send it with the same reference.");
  await expect.element(page.getByRole("button", { name: /^Take/ })).not.toBeInTheDocument();
});

test("one press reduces the payment to the whole lots that have arrived", async () => {
  const reduced = { ...partPage.ownPayment, lots: 6, amountKobo: 672_000_000n };
  let ownPayment = partPage.ownPayment;
  const { sentTo } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": () => ({ ...partPage, ownPayment }),
    "payments.reduceToArrived": () => {
      ownPayment = reduced;
      return undefined;
    },
  });
  await says(
    "What has arrived pays for 6 lots (₦6,720,000). You can reduce your payment to them; the other lots go to others.",
  );
  await press("Take 6 lots instead");
  await tells("Your payment is reduced");
  expect(sentTo("payments.reduceToArrived")).toEqual([{ paymentId: 1, lots: 6 }]);
  await says("₦280,000 more than the amount has arrived. It will be returned to you.");
});

test("what came beyond an earlier payment pays for another lot, after the tick of any purchase", async () => {
  const surplus = { paymentId: 1, lots: 2, amountKobo: 200_000_00n, surplusKobo: 230_000_00n };
  const sold = { ...paymentPage, round: { ...paymentPage.round, lots: 12, lotPriceKobo: 100_000_00n }, surplus };
  const approved = { ...sentPage.ownPayment, status: "approved" as const };
  let isUsed = false;
  const { sentTo } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": () =>
      isUsed ? { ...sentPage, surplus: null } : { ...sold, ownPayment: approved, blockedBy: "terms" as const },
    "bank.useSurplus": () => {
      isUsed = true;
      return undefined;
    },
  });
  await says("₦230,000 more than your payment has arrived");
  await says(
    "It pays for 2 more lots of this round (₦200,000). You needn't transfer anything, and what is left is returned to you.",
  );
  await press("Use it for 2 more lots");
  await press("Use ₦200,000 for 2 more lots");
  await says(termsTexts.tickMissing);
  await fitsPhone();
  await page.getByRole("checkbox", { name: termsTexts.tick }).click();
  await press("Use ₦200,000 for 2 more lots");
  await tells("Your money is used for another lot. We look at it within one working day.");
  const siteTerms = paymentPage.siteTerms.sha256;
  expect(sentTo("bank.useSurplus")).toEqual([
    { paymentId: 1, lots: 2, termsVersion: paymentPage.terms.version, siteTerms, hasReadTerms: true },
  ]);
  await says(sentText);
});

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
  await chooseFiles(file, new File(["a photo"], "IMG_0001.HEIC"));
  await expect.element(alert).toHaveTextContent(uploadTexts.heic);
  // Phones rename what they pass on.
  await chooseFiles(file, new File(["\0\0\0\x1cftypheic"], "IMG_0001.jpg", { type: "image/jpeg" }));
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(page.getByRole("img", { name: "Preview of IMG_0001.jpg" })).not.toBeInTheDocument();
  await send();
  await expect.element(alert).toHaveTextContent(uploadTexts.heic);
  await says("IMG_0001.jpg");
  expect(uploads).toEqual([]);

  // What only the server can see: the rest of the content.
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

const gapBetween = (one: Element, other: Element) => {
  const [left, right] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return left.bottom > right.top && right.bottom > left.top ? right.left - left.right : Number.NaN;
};

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
  await onPhone(async () => {
    // The field and its two buttons stand on one line, close together.
    await expect.poll(() => gapBetween(less.element(), lots.element())).toBe(12);
    expect(gapBetween(lots.element(), more.element())).toBe(12);
  });
  await fitsPhone();
  await chooseFiles(file, receipt);
  await send();
  await expect.poll(() => uploads.length).toBe(1);
  expect(uploads[0]?.form.get("lots")).toBe("2");
});

test("a reload keeps the chosen lots, and an address can't ask for more than is free", async () => {
  const round = { lots: 40, lotPriceKobo: 5_000_000n, approvedLots: 30, minimumLots: 40 };
  const screen = await openScreen("/back-project/1?lots=9", {
    ...filled,
    "payments.open": { ...paymentPage, round, mostLots: 4 },
  });
  const lots = page.getByLabelText("Number of lots");
  await expect.element(lots).toHaveValue("4");
  await page.getByRole("button", { name: "One lot less" }).click();
  await hasHeading("Step 1: Transfer ₦150,000");
  await screen.reload();
  await expect.element(lots).toHaveValue("3");
  await hasHeading("Step 1: Transfer ₦150,000");
  await lots.fill("1");
  await hasHeading("Step 1: Transfer ₦50,000");
  await screen.reload();
  await expect.element(lots).toHaveValue("1");
});

const main = page.getByRole("main");
const tick = main.getByRole("checkbox");
const account = page.getByText("0000000000");
const fortyLots = { lots: 40, lotPriceKobo: 5_000_000n, approvedLots: 30, minimumLots: 40 };
/** Before the tick, where lots are held. */
const toAgree = {
  ...paymentPage,
  round: fortyLots,
  mostLots: 10,
  reference: null,
  bankDetails: null,
  blockedBy: "terms" as const,
  hold: holdOf({}),
};

/** Returns the state of holds at the server's time when the tests begin. */
function holdOf(more: Partial<NonNullable<typeof paymentPage.hold>>): NonNullable<typeof paymentPage.hold> {
  return {
    own: null,
    heldByOthers: 0,
    nextFreeAt: null,
    place: null,
    waiting: 0,
    hours: 24,
    vain: 2,
    now: createdAt,
    ...more,
  };
}
const hoursLater = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000);
const ownHold = { lots: 3, until: hoursLater(24), isOffer: false };

test("the account is shown after the tick only, and a refusal leaves lots and tick as they are", async () => {
  const { answers, calls, sentTo } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": toAgree,
    "payments.begin": refusal("conflict", 409, holdTexts.tooMany),
  });
  await page.getByLabelText("Number of lots").fill("3");
  await hasHeading("Harvest terms");
  await fitsPhone();
  await press("Hold 3 lots for 24 hours, ₦150,000");
  await says(termsTexts.tickMissing);
  await expect.element(tick).toHaveFocus();
  expect(calls).not.toContain("payments.begin");

  await tick.click();
  await press("Hold 3 lots for 24 hours, ₦150,000");
  await expect.element(alert.getByText(holdTexts.tooMany)).toBeVisible();
  await expect.element(tick).toBeChecked();
  await expect.element(page.getByLabelText("Number of lots")).toHaveValue("3");
  await expect.element(account).not.toBeInTheDocument();

  const held = { ...paymentPage, round: fortyLots, mostLots: 10, hold: holdOf({ own: ownHold }) };
  answers["payments.begin"] = () => {
    answers["payments.open"] = held;
    return undefined;
  };
  await press("Hold 3 lots for 24 hours, ₦150,000");
  await expect.element(account).toBeVisible();
  await hasHeading("Step 1: Transfer ₦150,000");
  const siteTerms = paymentPage.siteTerms.sha256;
  expect(sentTo("payments.begin")).toEqual([{ projectId: 1, lots: 3, termsVersion: 1, siteTerms, hasReadTerms: true }]);
  // Only held lots can be bought: another number would need another hold.
  await expect.element(page.getByLabelText("Number of lots")).not.toBeInTheDocument();
});

test("on a phone's first screen stand the hold in one line and the account, with a button that copies it below", async () => {
  const title = "Twenty improved snail pens under the palms at Epe";
  const held = { ...paymentPage, project: { ...paymentPage.project, title }, round: fortyLots, mostLots: 10 };
  await onPhone(async () => {
    await openScreen("/back-project/1", { ...filled, "payments.open": { ...held, hold: holdOf({ own: ownHold }) } });
    const bar = page.getByRole("button", { name: "Copy account number" }).nth(1);
    await expect.element(bar).toBeVisible();
    const line = page.getByText(holdTexts.mineBriefly(3, ownHold.until, createdAt), { exact: true });
    expect(line.element().getBoundingClientRect().height).toBeLessThan(44);
    expect(window.scrollY).toBe(0);
    const number = account.element().getBoundingClientRect();
    expect(number.bottom).toBeLessThan(bar.element().getBoundingClientRect().top - 8);
    expect(number.height).toBeGreaterThan(30);
  });
  await says(paymentTexts.addsUp);
  await says(paymentTexts.narration);
  await says(paymentTexts.noNarration);
});

test("where nothing is held the one press shows the account of the whole project", async () => {
  const { answers, calls } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...paymentPage, reference: null, bankDetails: null, blockedBy: "terms" },
    "payments.begin": () => {
      answers["payments.open"] = paymentPage;
    },
  });
  await expect.element(account).not.toBeInTheDocument();
  await expect.element(file).not.toBeInTheDocument();
  await tick.click();
  await press("Show the bank details");
  await hasHeading("Step 1: Transfer ₦4,700,000");
  await expect.element(account).toBeVisible();
  expect(calls.filter((call) => call.startsWith("holds."))).toEqual([]);
});

test("a hold counts down by the server's clock, and what it becomes at its end is asked of the server", async () => {
  // This device is a year behind the server.
  const device = createdAt.getTime() - 365 * 24 * 3_600_000;
  vi.useFakeTimers({ toFake: ["Date"], now: device });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { answers } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...paymentPage, round: fortyLots, mostLots: 10, hold: holdOf({ own: ownHold }) },
  });
  const left = (time: RegExp) => expect.element(main.getByText(time)).toBeVisible();
  await says(holdTexts.mine(3, ownHold.until, createdAt));
  await left(/^(24:00:00|23:59:\d\d) left\./);
  vi.setSystemTime(device + 23.5 * 3_600_000);
  await left(/^00:(30:00|29:\d\d) left\./);
  await chooseFiles(file, receipt);
  answers["payments.open"] = {
    ...toAgree,
    reference: paymentPage.reference,
    hold: holdOf({ now: hoursLater(24.5) }),
    purchase: { lots: 3, amountKobo: 15_000_000n },
  };
  vi.setSystemTime(device + 24.5 * 3_600_000);
  await hasHeading("Have you already paid?");
  await expect.element(account).not.toBeInTheDocument();
  await hasHeading("Harvest terms");
  await fitsPhone();
});

test("who holds lots of a closed project may pay or cancel the hold; without them nobody is asked to", async () => {
  const closed = { ...paymentPage, project: { ...paymentPage.project, isClosed: true }, round: fortyLots };
  const { answers } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...closed, hold: holdOf({ own: ownHold }) },
    "holds.release": () => {
      answers["payments.open"] = { ...closed, bankDetails: null, hold: holdOf({}) };
    },
  });
  const askedNotTo = main.getByText("Please don't transfer any money for it now.");
  await says(holdTexts.mine(3, ownHold.until, createdAt));
  await hasHeading("Step 1: Transfer ₦150,000");
  await expect.element(account).toBeVisible();
  await expect.element(askedNotTo).not.toBeInTheDocument();
  await press(holdTexts.cancel);
  await page.getByRole("dialog").getByRole("button", { name: holdTexts.cancel }).click();
  await expect.element(askedNotTo).toBeVisible();
  await expect.element(account).not.toBeInTheDocument();
  await hasHeading("Step 1: Upload your receipt");
});

test("a hold is cancelled after a question, and a failure is told", async () => {
  const { answers, calls } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...paymentPage, round: fortyLots, mostLots: 10, hold: holdOf({ own: ownHold }) },
    "holds.release": serverFault,
  });
  const question = page.getByRole("dialog", { name: "Cancel your hold of 3 lots?" });
  const isSure = () => question.getByRole("button", { name: holdTexts.cancel }).click();
  await press(holdTexts.cancel);
  await expect.element(question.getByText(new RegExp(holdTexts.vain(2)))).toBeVisible();
  await question.getByRole("button", { name: "Keep my hold" }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(calls).not.toContain("holds.release");
  await press(holdTexts.cancel);
  await isSure();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await expect.element(account).toBeVisible();
  answers["holds.release"] = () => {
    answers["payments.open"] = toAgree;
    return undefined;
  };
  await press(holdTexts.cancel);
  await isSure();
  await tells(holdTexts.released);
  await expect.element(account).not.toBeInTheDocument();
  await hasHeading("Harvest terms");
});

test("who finds all lots held joins the waiting list and leaves it; one's turn is an offer to be taken", async () => {
  const allHeld = { heldByOthers: 10, nextFreeAt: hoursLater(5) };
  const { answers, reload, sentTo } = await openScreen("/back-project/1", {
    ...filled,
    "payments.open": { ...toAgree, mostLots: 1, hold: holdOf(allHeld) },
    "holds.join": refusal("conflict", 409, holdTexts.notFull),
  });
  await says(holdTexts.held(hoursLater(5), createdAt));
  await expect.element(tick).not.toBeInTheDocument();
  await press("Join the waiting list");
  await alerts(holdTexts.notFull);
  answers["holds.join"] = () => {
    answers["payments.open"] = { ...toAgree, mostLots: 1, hold: holdOf({ ...allHeld, place: 2, waiting: 2 }) };
    return undefined;
  };
  await press("Join the waiting list");
  await tells(holdTexts.joined);
  expect(sentTo("holds.join")).toEqual([{ projectId: 1, lots: 1 }]);
  await says("You are number 2 of 2 on the waiting list. We email you when it is your turn.");
  await fitsPhone();
  answers["holds.leave"] = () => {
    answers["payments.open"] = { ...toAgree, mostLots: 1, hold: holdOf(allHeld) };
    return undefined;
  };
  await press("Leave the waiting list");
  await tells(holdTexts.left);
  await expect.element(page.getByRole("button", { name: "Join the waiting list" })).toBeVisible();

  const until = hoursLater(12);
  const offered = { lots: 2, until, isOffer: true };
  answers["payments.open"] = { ...toAgree, hold: holdOf({ ...allHeld, heldByOthers: 8, own: offered, waiting: 1 }) };
  await reload();
  await says(holdTexts.yourTurn(until, createdAt));
  await expect.element(account).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Hold 2 lots for 24 hours, ₦100,000" })).toBeVisible();
});
