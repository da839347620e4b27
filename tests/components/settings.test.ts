import { expect, test } from "vitest";
import { page } from "vitest/browser";
import {
  alerts,
  dialog,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { setting } from "#tests/support/screen-samples.ts";

/** The administrators' settings, where the server fails or has none. */

const timeout = page.getByLabelText("Timeout in minutes");

test("there are none yet, and one that can't be saved stays typed", async () => {
  const { answers } = await openScreen("/admin/settings", { ...owner, "settings.save": serverFault });
  await says("No settings found.");
  await timeout.fill("45");
  await press("Save timeout");
  await alerts("Failed to update setting");
  await alerts("An unexpected error occurred");
  await expect.element(timeout).toHaveValue("45");
  answers["settings.save"] = { wasAdded: true, wasChanged: true };
  await press("Save timeout");
  await tells("Session Timeout Created");
});

test("a database that refuses is told of in the server's words", async () => {
  const text = "Permission error loading settings. Please check your role permissions.";
  await openScreen("/admin/settings", { ...owner, "settings.list": refusal("unavailable", 503, text) });
  await says(text);
});

test("a failure to load is told, and mended by another try", async () => {
  const { answers, path } = await openScreen("/admin/settings", { ...owner, "settings.list": serverFault });
  await hasHeading("Failed to load settings");
  answers["settings.list"] = [setting];
  await press("Try again");
  await expect.element(page.getByRole("row").filter({ hasText: setting.key })).toBeVisible();
  await page.getByRole("link", { name: "Back to Dashboard" }).click();
  await expect.poll(path).toBe("/admin/dashboard");
});

test("a new one that can't be added stays typed", async () => {
  const { answers } = await openScreen("/admin/settings", { ...owner, "settings.add": serverFault });
  await press("Add Setting");
  const add = dialog.getByRole("button", { name: "Add Setting" });
  await add.click();
  await says("Please enter a key");
  await says("Please enter a value");
  await dialog.getByLabelText("Key").selectOptions(setting.key);
  await dialog.getByLabelText("Value").fill(setting.value);
  await add.click();
  await says("Could not add new setting");
  await expect.element(dialog.getByLabelText("Value")).toHaveValue(setting.value);
  answers["settings.add"] = undefined;
  answers["settings.list"] = [setting];
  await add.click();
  await says("New setting added");
  await expect.element(dialog).not.toBeInTheDocument();
});

test.each(["0", "-1", "2.5", "", "soon"])("a session timeout of %j is refused, and stays typed", async (wrong) => {
  const { calls } = await openScreen("/admin/settings", owner);
  await timeout.fill("45");
  await timeout.fill(wrong);
  await press("Save timeout");
  await alerts("Invalid Value");
  await alerts("Please enter a positive number for session timeout");
  await expect.element(timeout).toHaveValue(wrong);
  expect(calls).not.toContain("settings.save");
});

test("numbers about lots show their defaults, and only those that changed are saved", async () => {
  const saved: unknown[] = [];
  const { answers, calls } = await openScreen("/admin/settings", {
    ...owner,
    "settings.save": (input) => {
      saved.push(input);
      return { wasAdded: true, wasChanged: true };
    },
  });
  const held = page.getByLabelText("Lots are held for");
  await expect.element(held).toHaveValue("24");
  await expect.element(page.getByLabelText("The next on the waiting list has")).toHaveValue("12");
  await expect.element(page.getByLabelText("One person may buy at most")).toHaveValue("20");
  await expect.element(page.getByLabelText("Platform's fee")).toHaveValue("5");
  await expect.element(page.getByLabelText("A second administrator confirms from")).toHaveValue("1000000");
  await press("Save selling");
  await tells("Nothing was changed.");
  expect(calls).not.toContain("settings.save");
  await held.fill("0");
  answers["settings.list"] = [{ ...setting, key: "holdhours", value: "0" }];
  await press("Save selling");
  await tells("Setting updated successfully");
  expect(saved).toEqual([{ values: { holdhours: "0" }, seen: { holdhours: "", offerhours: "", maxlots: "" } }]);
  await expect.element(held).toHaveValue("0");
});

test.each([
  {
    label: "Lots are held for",
    wrong: "169",
    action: "Save selling",
    fault: "Enter a whole number of hours from 0 to 168; 0 switches holding off",
  },
  {
    label: "Platform's fee",
    wrong: "31",
    action: "Save fees",
    fault: "Enter a percentage from 0 to 30, with at most two decimals",
  },
  {
    label: "A second administrator confirms from",
    wrong: "1,000",
    action: "Save fees",
    fault: "Enter whole naira from 0 to 1,000,000,000, without commas",
  },
])("$label: $wrong is refused beside the field, and stays typed", async ({ label, wrong, action, fault }) => {
  const { calls } = await openScreen("/admin/settings", owner);
  await page.getByLabelText(label).fill(wrong);
  await press(action);
  await says(fault);
  await expect.element(page.getByLabelText(label)).toHaveValue(wrong);
  expect(calls).not.toContain("settings.save");
});
