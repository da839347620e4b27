import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type Answers, backer, hasHeading, openScreen, press, refusal } from "#tests/support/app-screen.ts";

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
