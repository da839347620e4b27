import { expect } from "playwright/test";
import { test } from "#tests/support/browser-test.ts";
import { nothing, watchErrors } from "#tests/support/console-errors.ts";
import { openBrowserOf } from "#tests/support/screens.ts";
import { expectSound } from "#tests/support/sound-page.ts";

// The parts of the payments' screens that need a real browser with the server's policy. Component tests cover the rest.

test("a receipt that is a PDF is drawn on a canvas, by a worker of our own that the policy lets run", async ({
  context,
  demo,
}) => {
  const page = await openBrowserOf("owner", context, demo);
  const problems = watchErrors(page, { allowed: nothing });
  await page.goto(`${demo.url}/admin/payments?status=approved`);
  await page
    .getByRole("button", { name: /^View Receipt/ })
    .first()
    .click();
  const canvas = page.getByRole("dialog").locator("canvas");
  await expect(canvas).toBeVisible();
  await expect
    .poll(() =>
      canvas.evaluate((element: HTMLCanvasElement) => {
        const pixels = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data ?? [];
        return new Set(pixels).size;
      }),
    )
    .toBeGreaterThan(10);
  expect(page.workers().map((worker) => new URL(worker.url()).origin)).toEqual([demo.url]);
  await expectSound(page);
  expect(problems).toEqual([]);
});
