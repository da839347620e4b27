import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { paymentTexts } from "#shared/payments/texts.ts";
import { type Answers, backer, hasHeading, openScreen, press, refusal, says } from "#tests/support/app-screen.ts";
import { createdAt, projectCard } from "#tests/support/screen-samples.ts";

/** The tabs of a backer's profile, where the server fails or has nothing. */

const empty: Answers = {
  ...backer,
  "backings.mine": { items: [], nextCursor: null },
  "payments.listMyPending": { pending: [], rejected: [], approved: [] },
  "favorites.mine": { items: [], nextCursor: null },
  "favorites.ids": [],
};

const tabs = [
  ["", "backings.mine", "Failed to load projects. Please try again later.", "You haven't backed a project yet"],
  ["?tab=pending", "payments.listMyPending", "Your payments could not be loaded.", "Nothing is waiting for approval"],
  ["?tab=favorites", "favorites.mine", "Failed to load projects. Please try again later.", "No favorites yet"],
] as const;

test.each(tabs)(
  "/profile%s says what could not be loaded, and loads it on demand",
  async (tab, procedure, text, then) => {
    const { answers } = await openScreen(`/profile${tab}`, { ...empty, [procedure]: refusal("internal", 500) });
    await hasHeading(text);
    Object.assign(answers, { [procedure]: empty[procedure] });
    await press("Try again");
    await hasHeading(then);
    await expect
      .element(page.getByRole("tabpanel").getByRole("link", { name: "Discover projects" }))
      .toHaveAttribute("href", "/discover");
  },
);

test("money that is due back stands apart from a receipt that wasn't accepted", async () => {
  const payment = {
    id: 1,
    projectId: 1,
    projectTitle: projectCard.title,
    status: "rejected" as const,
    lots: 2,
    amountKobo: 10_000_000n,
    reference: "GONA-ABCD-2345",
    submittedAt: createdAt,
    rejectionReason: "The round did not reach its minimum.",
    refundDue: "not_funded" as const,
    refundKobo: 10_000_000n,
    arrivedKobo: 0n,
    restBy: null,
    lateText: null,
    roundLots: 40,
  };
  const project = { ...projectCard, shortDescription: "Catfish in two earthen ponds." };
  await openScreen("/profile?tab=pending", {
    ...empty,
    "payments.listMyPending": {
      pending: [],
      approved: [],
      rejected: [
        { payment, project },
        {
          payment: { ...payment, id: 2, rejectionReason: "It is cut off.", refundDue: null, refundKobo: null },
          project,
        },
      ],
    },
  });
  await hasHeading("Due back to you");
  await says("Too few lots were sold, so the farm does not start. ₦100,000 will be returned to you.");
  await hasHeading("Not accepted");
  await says("We could not accept your receipt: It is cut off.");
  await expect.element(page.getByRole("link", { name: "Send a new receipt" })).toBeVisible();
});

test("a part that has arrived is told with what is missing", async () => {
  const payment = {
    id: 1,
    projectId: 1,
    projectTitle: projectCard.title,
    status: "pending" as const,
    lots: 1,
    roundLots: 1,
    amountKobo: 1_120_000_000n,
    reference: "GONA-ABCD-2345",
    submittedAt: createdAt,
    rejectionReason: null,
    refundDue: null,
    refundKobo: null,
    arrivedKobo: 500_000_000n,
    restBy: new Date("2099-11-24T17:00:00Z"),
    lateText: null,
  };
  const project = { ...projectCard, shortDescription: "Catfish in two earthen ponds." };
  await openScreen("/profile?tab=pending", {
    ...empty,
    "payments.listMyPending": { pending: [{ payment, project }], approved: [], rejected: [] },
  });
  await says("₦5,000,000 of ₦11,200,000 has arrived.");
  await says("Send the rest with the same reference by Tuesday 18:00.");
  await expect
    .element(page.getByText(paymentTexts.inReview({ reviewTime: "one working day" })))
    .not.toBeInTheDocument();
});

test("a late answer is said so, beside a part that has arrived", async () => {
  const lateText = "We promised an answer by Tuesday. We are late, and sorry.";
  const payment = {
    id: 1,
    projectId: 1,
    projectTitle: projectCard.title,
    status: "pending" as const,
    lots: 1,
    roundLots: 1,
    amountKobo: 1_120_000_000n,
    reference: "GONA-ABCD-2345",
    submittedAt: createdAt,
    rejectionReason: null,
    refundDue: null,
    refundKobo: null,
    arrivedKobo: 500_000_000n,
    restBy: null,
    lateText,
  };
  const project = { ...projectCard, shortDescription: "Catfish in two earthen ponds." };
  await openScreen("/profile?tab=pending", {
    ...empty,
    "payments.listMyPending": { pending: [{ payment, project }], approved: [], rejected: [] },
  });
  await says(lateText);
  await says("₦5,000,000 of ₦11,200,000 has arrived.");
  await expect
    .element(page.getByText(paymentTexts.inReview({ reviewTime: "one working day" })))
    .not.toBeInTheDocument();
});

test("a surplus stands with what is due back, and nobody is asked for a receipt whose transfer was seen", async () => {
  const payment = {
    id: 1,
    projectId: 1,
    projectTitle: projectCard.title,
    status: "approved" as const,
    lots: 2,
    roundLots: 40,
    amountKobo: 10_000_000n,
    reference: "GONA-ABCD-2345",
    submittedAt: createdAt,
    rejectionReason: null,
    refundDue: "surplus" as const,
    refundKobo: 70_000n,
    arrivedKobo: 0n,
    restBy: null,
    lateText: null,
  };
  const project = { ...projectCard, shortDescription: "Catfish in two earthen ponds." };
  const waiting = {
    ...payment,
    id: 2,
    status: "pending" as const,
    refundDue: null,
    refundKobo: null,
    arrivedKobo: 10_000_000n,
  };
  await openScreen("/profile?tab=pending", {
    ...empty,
    "payments.listMyPending": {
      pending: [{ payment: { ...waiting, submittedAt: null }, project }],
      approved: [{ payment, project }],
      rejected: [],
    },
  });
  await hasHeading("Due back to you");
  await says("Surplus, refund due");
  await says(paymentTexts.surplus("₦700"));
  await says(paymentTexts.inReviewUnasked);
  await expect.element(page.getByText("Receipt sent")).toHaveLength(1);
});

test("what needs the reader stands first, with its deadline and its way, and a card says the same", async () => {
  const farm = { projectId: 1, projectTitle: projectCard.title };
  const growing = { week: 33, planned: 2, counted: 0, lost: 0, unit: "kg" as const, paidKobo: 0n, collected: 0n };
  const card = { ...projectCard, isClosed: true, outcome: "funded" as const };
  const backed = { ...card, shortDescription: "", backedAt: createdAt, myLots: 2, myPaidKobo: 20_000_000n };
  const received = { ...growing, counted: 2, paidKobo: 9_000_000n, collected: 36_000n };
  await openScreen("/profile", {
    ...empty,
    "tasks.mine": [
      { kind: "collect", ...farm, until: new Date("2026-12-01T22:59:59Z"), quantity: 36_000n, unit: "kg" },
      { kind: "object", ...farm, until: new Date("2026-12-12T10:00:00Z"), isFrom: true },
      { kind: "give_account", amountKobo: 26_000_000n, until: null },
    ],
    "backings.mine": {
      items: [
        { ...backed, progress: growing },
        { ...backed, id: 2, title: "Snails of Ijebu", progress: received },
      ],
      nextCursor: null,
    },
  });
  const tasks = page.getByRole("region", { name: "What needs you" });
  await expect
    .element(tasks.getByRole("link", { name: "36 kg to collect by 1 Dec 2026" }))
    .toHaveAttribute("href", "/backed-project/1?tab=harvest");
  await expect
    .element(tasks.getByRole("link", { name: "Your lots pass to another on 12 Dec 2026, unless you object" }))
    .toHaveAttribute("href", "/profile?tab=money");
  await expect
    .element(tasks.getByRole("link", { name: "Tell us where to send ₦260,000" }))
    .toHaveAttribute("href", "/profile?tab=money");
  const cards = page.getByRole("article");
  const first = cards.filter({ hasText: projectCard.title });
  await expect.element(first.getByText("36 kg to collect by 1 Dec 2026")).toBeVisible();
  await expect.element(first.getByText("2 lots")).toBeVisible();
  await expect.element(first.getByText("₦200,000")).toBeVisible();
  const second = cards.filter({ hasText: "Snails of Ijebu" });
  await expect.element(second.getByText("You received ₦90,000 and 36 kg")).toBeVisible();
  await expect.element(second.getByText("Harvested")).toBeVisible();
  await expect.element(page.getByText("CLOSED")).not.toBeInTheDocument();
});
