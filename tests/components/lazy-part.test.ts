import { MantineProvider } from "@mantine/core";
import { createElement, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { lazyDialog, lazyPart, missingCodeTexts } from "#client/ui/feedback/lazy-part.tsx";

test.each([
  ["part", lazyPart],
  ["dialog", lazyDialog],
])("a %s whose code can't be fetched leaves the page and what was typed", async (_, make) => {
  const Missing = make(async () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    createElement(
      MantineProvider,
      null,
      createElement("input", { "aria-label": "Message" }),
      createElement(Suspense, null, createElement(Missing)),
    ),
  );
  await page.getByLabelText("Message").fill("How are the ponds?");
  await expect.element(page.getByRole("alert").getByText(new RegExp(missingCodeTexts.title)).first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: missingCodeTexts.reload })).toBeVisible();
  await expect.element(page.getByLabelText("Message")).toHaveValue("How are the ponds?");
});
