import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type Answers, backer, hasHeading, openScreen, press, refusal, says } from "#tests/support/app-screen.ts";
import { createdAt, projectCard } from "#tests/support/screen-samples.ts";

/** The tabs of a backer's profile, where the server fails or has nothing. */

const empty: Answers = {
  ...backer,
  "backings.mine": { items: [], nextCursor: null },
  "payments.listMyPending": { pending: [], rejected: [] },
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
    ...{ id: 1, projectId: 1, projectTitle: projectCard.title, status: "rejected" as const, lots: 2 },
    ...{ amountKobo: 10_000_000n, reference: "GONA-ABCD-2345", submittedAt: createdAt },
    ...{ rejectionReason: "The round did not reach its minimum.", refundDue: "not_funded" as const, roundLots: 40 },
  };
  const project = { ...projectCard, shortDescription: "Catfish in two earthen ponds." };
  await openScreen("/profile?tab=pending", {
    ...empty,
    "payments.listMyPending": {
      pending: [],
      rejected: [
        { payment, project },
        { payment: { ...payment, id: 2, rejectionReason: "It is cut off.", refundDue: null }, project },
      ],
    },
  });
  await hasHeading("Due back to you");
  await says(
    "Too few lots were sold, so the farm does not start. ₦100,000 will be returned to you, and there is nothing you need to do.",
  );
  await hasHeading("Not accepted");
  await says("We could not accept your receipt: It is cut off.");
  await expect.element(page.getByRole("link", { name: "Send a new receipt" })).toBeVisible();
});
