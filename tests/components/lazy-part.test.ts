import { MantineProvider } from "@mantine/core";
import { createElement, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { lazyDialog, lazyPart } from "#client/ui/feedback/lazy-part.tsx";

/** Parts whose code can't be fetched, as on a phone that loses its connection. */

const Part = () => createElement("p", null, "The farm's record");
const again = () => page.getByRole("button", { name: "Try again" });

/** A page with a field, and a part whose code fails so often before it comes. Answers what came to the page's own boundary. */
function openPage(make: typeof lazyPart, failures: number): { failed: unknown[] } {
  let asked = 0;
  const Lazy = make(async () => {
    asked += 1;
    if (asked <= failures) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: Part };
  });
  const content = createElement(
    MantineProvider,
    null,
    createElement("input", { "aria-label": "Message" }),
    createElement(Suspense, null, createElement(Lazy)),
  );
  const failed: unknown[] = [];
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place, { onCaughtError: () => {}, onUncaughtError: (error) => failed.push(error) });
  root.render(content);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  return { failed };
}

test.each([
  ["part", lazyPart],
  ["dialog", lazyDialog],
])("a %s whose code can't be fetched leaves the page and what was typed, and is tried again", async (_, make) => {
  openPage(make, 1);
  await expect.element(page.getByText(/^This part could not be loaded/).first()).toBeVisible();
  await page.getByLabelText("Message").fill("How are the ponds?");
  await again().click();
  await expect.element(page.getByText("The farm's record")).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(page.getByLabelText("Message")).toHaveValue("How are the ponds?");
});

test("what can't be fetched a second time goes to the page, which is loaded anew", async () => {
  const { failed } = openPage(lazyPart, 2);
  await again().click();
  await expect.poll(() => failed).toEqual([expect.objectContaining({ message: expect.stringContaining("module") })]);
});
