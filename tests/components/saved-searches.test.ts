import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { savedSearchTexts } from "#shared/saved-searches/texts.ts";
import { backer, fitsPhone, openScreen, refusal } from "#tests/support/app-screen.ts";

/** Saving what Discover shows, the list in the account, and the link of a mail. */

type SavedSearch = RouterOutputs["savedSearches"]["mine"][number];

const layers: SavedSearch = {
  id: 1,
  name: "Layers in Kwara, up to ₦100,000 a lot",
  filters: {
    search: "layers",
    category: null,
    state: "Kwara",
    maxLotPrice: 100_000,
    firstHarvestUntil: null,
    hasRecord: false,
    isInsured: false,
    hasFreeLots: false,
  },
};
const shown = "/discover?search=layers&state=Kwara&price=100000";
const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
const noProjects = { "projects.list": { items: [], nextCursor: null }, "projects.looseFilter": { best: null } };

describe("on Discover", () => {
  test("one press saves what is shown, under a name made of its filters", async () => {
    const stored: SavedSearch[] = [];
    await openScreen(shown, {
      ...backer,
      ...noProjects,
      "favorites.ids": [],
      "savedSearches.mine": () => stored,
      "savedSearches.save": ({ name, filters }) => {
        stored.push({ ...layers, name, filters: { ...layers.filters, search: filters.search ?? "" } });
        return undefined;
      },
    });
    await expect.element(page.getByText(savedSearchTexts.promise)).toBeVisible();
    await fitsPhone();
    await button("Save this search").click();
    await expect.element(page.getByText(/Saved as “Layers in Kwara, up to ₦100,000 a lot”/)).toBeVisible();
    expect(stored).toEqual([layers]);
    await fitsPhone();
    const toAccount = page.getByRole("link", { name: "Rename or stop it" });
    await expect.element(toAccount).toHaveAttribute("href", "/profile/account#searches");
    await expect.element(toAccount).toHaveFocus();
  });

  test("whoever switched these mails off reads so, with the way to change it", async () => {
    const off = { kind: "saved_search" as const, isAlways: false, isMailed: false };
    const empty = { ...noProjects, "favorites.ids": [], "notifications.mailPreferences": [off] };
    await openScreen(shown, { ...backer, ...empty });
    await expect.element(page.getByText(new RegExp(savedSearchTexts.inAppOnly))).toBeVisible();
    await expect.element(page.getByText(savedSearchTexts.promise)).not.toBeInTheDocument();
    const toEmails = page.getByRole("link", { name: "Change your emails" });
    await expect.element(toEmails).toHaveAttribute("href", "/profile/account#emails");
    await fitsPhone();
  });

  test("a visitor signs in first, and comes back to the search", async () => {
    await openScreen(shown, noProjects);
    const link = page.getByRole("link", { name: "Sign in to save this search" });
    await expect.element(link).toHaveAttribute("href", `/login?next=${encodeURIComponent(shown)}`);
  });

  test("a refusal is said, and the list without filters offers nothing to save", async () => {
    await openScreen(shown, {
      ...backer,
      ...noProjects,
      "favorites.ids": [],
      "savedSearches.mine": [],
      "savedSearches.save": refusal("conflict", 409, savedSearchTexts.tooMany),
    });
    await button("Save this search").click();
    await expect.element(page.getByText(savedSearchTexts.tooMany)).toBeVisible();
    await button("Reset filters").click();
    await expect.element(button("Save this search")).not.toBeInTheDocument();
  });
});

describe("in the account", () => {
  const card = page.getByRole("region", { name: "Saved searches" });

  test("they can be opened, renamed, stopped and taken back", async () => {
    let stored = [layers];
    await openScreen("/profile/account", {
      ...backer,
      "savedSearches.mine": () => stored,
      "savedSearches.rename": ({ name }) => {
        stored = [{ ...layers, name }];
        return undefined;
      },
      "savedSearches.stop": () => {
        stored = [];
        return undefined;
      },
      "savedSearches.undoStop": () => {
        stored = [{ ...layers, name: "Hens" }];
        return undefined;
      },
    });
    const facts = card.getByText("layers · Kwara · up to ₦100,000 a lot");
    await expect.element(card.getByRole("link", { name: layers.name })).toHaveAttribute("href", shown);
    await expect.element(facts).not.toBeInTheDocument();
    await fitsPhone();
    await card.getByRole("button", { name: /^Rename/ }).click();
    const name = card.getByLabelText("Name");
    await expect.element(name).toHaveFocus();
    await name.fill(" ");
    await card.getByRole("button", { name: "Save" }).click();
    await expect.element(card.getByText(savedSearchTexts.noName)).toBeVisible();
    await name.fill("Hens");
    await card.getByRole("button", { name: "Save" }).click();
    await expect.element(card.getByRole("button", { name: "Rename “Hens”" })).toHaveFocus();
    await expect.element(facts).toBeVisible();
    await card.getByRole("button", { name: "Stop “Hens”" }).click();
    await expect.element(card.getByText("“Hens” is stopped.")).toBeVisible();
    const undo = card.getByRole("button", { name: "Undo" });
    await expect.element(undo).toHaveFocus();
    await undo.click();
    await expect.element(card.getByRole("link", { name: "Hens" })).toHaveFocus();
    await expect.element(undo).not.toBeInTheDocument();
  });

  test("who has none reads how to save one", async () => {
    await openScreen("/profile/account", { ...backer, "savedSearches.mine": [] });
    await expect.element(card.getByText(/^You have none/)).toBeVisible();
    await fitsPhone();
  });
});

describe("the link of a mail", () => {
  test("asks, stops the search by one press, says so, and takes it back", async () => {
    const stopped: string[] = [];
    await openScreen("/stop-search?token=abc", {
      "savedSearches.byLink": () => ({ id: 1, name: layers.name, isStopped: stopped.length > 0 }),
      "savedSearches.stopByLink": ({ token }) => {
        stopped.push(token);
        return undefined;
      },
      "savedSearches.undoStopByLink": () => {
        stopped.pop();
        return undefined;
      },
    });
    await fitsPhone();
    expect(stopped).toEqual([]);
    await button("Stop this search").click();
    await expect.element(page.getByRole("heading", { name: `“${layers.name}” is stopped` })).toBeVisible();
    expect(stopped).toEqual(["abc"]);
    await fitsPhone();
    await expect.element(button("Undo")).toHaveFocus();
    await button("Undo").click();
    await expect.element(button("Stop this search")).toHaveFocus();
    expect(stopped).toEqual([]);
  });

  test("that is too old or forged says that nothing is left to stop", async () => {
    const gone = refusal("not_found", 404, savedSearchTexts.gone);
    await openScreen("/stop-search?token=abc", { "savedSearches.byLink": gone });
    await expect.element(page.getByText(savedSearchTexts.gone)).toBeVisible();
  });
});
