import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { savedSearchTexts } from "#shared/saved-searches/texts.ts";
import { backer, fitsPhone, openScreen, refusal } from "#tests/support/app-screen.ts";

/** Saving what Discover shows, the list in the account, and the link of a mail. */

type SavedSearch = RouterOutputs["savedSearches"]["mine"][number];

const layers: SavedSearch = {
  id: 1,
  name: "Layers in Kwara under ₦100,000",
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
    await expect.element(page.getByText(/Saved as “Layers in Kwara under ₦100,000”/)).toBeVisible();
    expect(stored).toEqual([layers]);
    await fitsPhone();
    await expect
      .element(page.getByRole("link", { name: "Rename or stop it" }))
      .toHaveAttribute("href", "/profile/account#searches");
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
  const account = {
    ...backer,
    "users.account": {
      fullName: "Ada Obi",
      email: "ada@example.com",
      hasPassword: true,
      isAdmin: false,
      isCodeAsked: false,
      pendingEmail: null,
    },
    "users.sessions": [],
    "auth.identities": { google: null, isEmailVerified: true, hasPassword: true },
    "notifications.mailPreferences": [],
  };
  const card = page.getByRole("region", { name: "Saved searches" });

  test("they can be opened, renamed, stopped and taken back", async () => {
    let stored = [layers];
    await openScreen("/profile/account", {
      ...account,
      "savedSearches.mine": () => stored,
      "savedSearches.rename": ({ name }) => {
        stored = [{ ...layers, name }];
        return undefined;
      },
      "savedSearches.stop": () => {
        stored = [];
        return undefined;
      },
      "savedSearches.save": ({ name }) => {
        stored = [{ ...layers, id: 2, name }];
        return undefined;
      },
    });
    await expect.element(card.getByText("layers · Kwara · up to ₦100,000 a lot")).toBeVisible();
    await expect.element(card.getByRole("link", { name: /^Open/ })).toHaveAttribute("href", shown);
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
    await card.getByRole("button", { name: "Stop “Hens”" }).click();
    await expect.element(card.getByText("“Hens” is stopped.")).toBeVisible();
    const undo = card.getByRole("button", { name: "Undo" });
    await expect.element(undo).toHaveFocus();
    await undo.click();
    await expect.element(card.getByRole("button", { name: "Stop “Hens”" })).toBeVisible();
    await expect.element(undo).not.toBeInTheDocument();
  });

  test("who has none reads how to save one", async () => {
    await openScreen("/profile/account", { ...account, "savedSearches.mine": [] });
    await expect.element(card.getByText(/^You have none/)).toBeVisible();
    await fitsPhone();
  });
});

describe("the link of a mail", () => {
  test("asks, stops the search by one press, and says so", async () => {
    const stopped: string[] = [];
    await openScreen("/stop-search?token=abc", {
      "savedSearches.byLink": { id: 1, name: layers.name },
      "savedSearches.stopByLink": ({ token }) => {
        stopped.push(token);
        return undefined;
      },
    });
    await fitsPhone();
    expect(stopped).toEqual([]);
    await button("Stop this search").click();
    await expect.element(page.getByRole("heading", { name: `“${layers.name}” is stopped` })).toBeVisible();
    expect(stopped).toEqual(["abc"]);
  });

  test("that is used or forged says that nothing is left to stop", async () => {
    const gone = refusal("not_found", 404, savedSearchTexts.gone);
    await openScreen("/stop-search?token=abc", { "savedSearches.byLink": gone });
    await expect.element(page.getByText(savedSearchTexts.gone)).toBeVisible();
  });
});
