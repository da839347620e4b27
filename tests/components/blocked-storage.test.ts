import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { type Answers, backer, hasHeading, openScreen } from "#tests/support/app-screen.ts";
import { project, projectCard } from "#tests/support/screen-samples.ts";

/** A browser that blocks cookies: to open a channel, and even to name a storage, throws. */

const storages = ["localStorage", "sessionStorage"] as const;
const found = storages.map((name) => Object.getOwnPropertyDescriptor(window, name) ?? {});
const refuse = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

beforeEach(() => {
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        refuse();
      }
    },
  );
  for (const name of storages) Object.defineProperty(window, name, { get: refuse, configurable: true });
});
afterEach(() => {
  for (const [index, name] of storages.entries()) Object.defineProperty(window, name, found[index] ?? {});
});

const filled: Answers = {
  "projects.featured": [projectCard],
  "projects.byId": project,
  "updates.list": { items: [], total: 0 },
  "media.gallery": { items: [], total: 0 },
  "favorites.ids": [],
};

test.each<[string, string, Answers]>([
  ["home", "/", {}],
  ["a project", "/project/1", {}],
  ["a project, signed in,", "/project/1", { ...backer, "messages.list": { items: [], total: 0, sendsAs: "Backer" } }],
])("%s shows as it is", async (_page, path, more) => {
  await openScreen(path, { ...filled, ...more });
  const title = path === "/" ? projectCard.title : project.title;
  await expect.element(page.getByRole("main").getByRole("heading", { name: title }).first()).toBeVisible();
  await expect.element(page.getByText("This page could not be shown")).not.toBeInTheDocument();
});

test("login shows as it is", async () => {
  await openScreen("/login");
  await hasHeading("Welcome back");
  await expect.element(page.getByLabelText("Email")).toBeVisible();
});
