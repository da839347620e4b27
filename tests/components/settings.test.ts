import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ownAccountTexts } from "#shared/bank/own-accounts-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  alerts,
  askAnotherOwner,
  dialog,
  hasHeading,
  onPhone,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt, setting } from "#tests/support/screen-samples.ts";

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
  const { answers, calls, sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "settings.save": { wasAdded: true, wasChanged: true },
  });
  const held = page.getByLabelText("Lots are held for");
  await expect.element(held).toHaveValue("24");
  await expect.element(page.getByLabelText("The next on the waiting list has")).toHaveValue("12");
  await expect.element(page.getByLabelText("One person may buy at most")).toHaveValue("20");
  await expect.element(page.getByLabelText("Platform's fee")).toHaveValue("5");
  await expect.element(page.getByLabelText("A second owner confirms from")).toHaveValue("1,000,000");
  await press("Save selling");
  await tells("Nothing was changed.");
  expect(calls).not.toContain("settings.save");
  await held.fill("0");
  answers["settings.list"] = [{ ...setting, key: "holdhours", value: "0" }];
  await press("Save selling");
  await tells("Setting updated successfully");
  expect(sentTo("settings.save")).toEqual([{ values: { holdhours: "0" }, seen: { holdhours: "" } }]);
  await expect.element(held).toHaveValue("0");
});

test("to make two-factor sign-in mandatory is asked first, with whom it stops, and nothing is set by a cancel", async () => {
  const { answers, sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "twoFactor.adminsWithout": serverFault,
    "settings.save": { wasAdded: true, wasChanged: true },
  });
  const required = page.getByRole("switch", { name: /^Administrators must use two-factor sign-in/ });
  await required.click({ force: true });
  await expect.element(dialog.getByText(/^Who has none yet could not be loaded/)).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(required).not.toBeChecked();
  const admins = [
    { id: "1", fullName: "Chidi Eze", isSelf: true },
    { id: "2", fullName: "Sade Bello", isSelf: false },
  ];
  answers["twoFactor.adminsWithout"] = { count: 4, admins };
  await required.click({ force: true });
  await expect.element(dialog.getByText(/^4 administrators have none yet/)).toBeVisible();
  await expect.element(dialog.getByText("Chidi Eze (you), Sade Bello and 2 more", { exact: true })).toBeVisible();
  await expect.element(dialog.getByText(/must set it up at their next click/)).toBeVisible();
  expect(sentTo("settings.save")).toEqual([]);
  await dialog.getByRole("button", { name: "Require it" }).click();
  await tells("Setting updated successfully");
  expect(sentTo("settings.save")).toEqual([{ values: { requiretwofactor: "true" } }]);
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
    label: "A second owner confirms from",
    wrong: "1,00",
    action: "Save fees",
    fault: "Enter whole naira from 0 to 1,000,000,000",
  },
])("$label: $wrong is refused beside the field, and stays typed", async ({ label, wrong, action, fault }) => {
  const { calls } = await openScreen("/admin/settings", owner);
  await page.getByLabelText(label).fill(wrong);
  await press(action);
  await says(fault);
  await expect.element(page.getByLabelText(label)).toHaveValue(wrong);
  expect(calls).not.toContain("settings.save");
});

test("naira are shown as money, typed as they are shown, and working days are called so", async () => {
  const { sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "settings.list": [
      { ...setting, id: 2, key: "maxtransfer", value: "5000000" },
      { ...setting, id: 3, key: "refunddays", value: "1" },
    ],
    "settings.save": { wasAdded: false, wasChanged: true },
  });
  await says("₦5,000,000");
  await says("1 working day");
  await says("working days");
  const most = page.getByLabelText("One transfer is at most");
  await expect.element(most).toHaveValue("5,000,000");
  await most.fill("₦1,000,000");
  await press("Save money out");
  await tells("Setting updated successfully");
  expect(sentTo("settings.save")).toEqual([{ values: { maxtransfer: "1000000" }, seen: { maxtransfer: "5000000" } }]);
});

const reason = "The farms have become larger this year.";
const waiting = (key: string, title: string) => ({
  id: 1,
  kind: "change_setting" as const,
  subject: key,
  askedBy: "Chidi Eze",
  reason,
  requestedAt: createdAt,
  until: createdAt,
  title,
  consequences: [],
  projectId: null,
  isPossible: true,
  isOwn: true,
  refusal: null,
});

test("a raised limit goes to another owner with a reason, what one changes alone beside it is saved", async () => {
  const [saved, asked]: [unknown[], unknown[]] = [[], []];
  const { answers } = await openScreen("/admin/settings", {
    ...owner,
    "settings.save": (input) => {
      saved.push(input);
      return { wasAdded: true, wasChanged: true };
    },
    "secondPerson.ask": serverFault,
  });
  await page.getByLabelText("Money that is due is paid within").fill("3");
  await page.getByLabelText("One transfer is at most").fill("10,000,000");
  await press("Save money out");
  await tells("Setting updated successfully");
  expect(saved).toEqual([{ values: { refunddays: "3" }, seen: { refunddays: "" } }]);
  await expect.element(dialog.getByText(/^Change the limit of one transfer from ₦5,000,000/)).toBeVisible();
  const send = dialog.getByRole("button", { name: "Send to another owner" });
  await send.click();
  await says(secondPersonTexts.reasonTooShort);
  await dialog.getByLabelText("Reason").fill(reason);
  await send.click();
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  await expect.element(dialog.getByLabelText("Reason")).toHaveValue(reason);
  const title = "Change the limit of one transfer from ₦5,000,000 to ₦10,000,000";
  answers["secondPerson.ask"] = (input) => {
    asked.push(input);
    answers["secondPerson.list"] = { requests: [waiting("maxtransfer", title)] };
  };
  await send.click();
  await tells(secondPersonTexts.asked);
  const details = { key: "maxtransfer", from: "5000000", to: "10000000" };
  expect(asked).toEqual([{ kind: "change_setting", details, reason }]);
  await says(`Waits for another owner: ${title}.`);
});

test("the taxes are off until the platform is registered, and a rate goes to another owner", async () => {
  const asked: unknown[] = [];
  await openScreen("/admin/settings", { ...owner, "secondPerson.ask": (input) => void asked.push(input) });
  const registered = page.getByRole("switch", { name: /^The platform is registered for VAT/ });
  const withheld = page.getByRole("switch", { name: /^Tax is withheld from backers/ });
  await expect.element(registered).not.toBeChecked();
  await expect.element(withheld).not.toBeChecked();
  await press("Save taxes");
  await tells("Nothing was changed.");
  await registered.click({ force: true });
  const rate = page.getByLabelText("VAT on the platform's fee");
  await expect.element(rate).toHaveValue("7.5");
  await rate.fill("31");
  await press("Save taxes");
  await says("Enter a percentage from 0 to 30, with at most two decimals");
  await rate.fill("7.5");
  await press("Save taxes");
  await askAnotherOwner(reason);
  expect(asked).toEqual([{ kind: "change_setting", details: { key: "vatpercent", from: "0", to: "7.5" }, reason }]);
});

test("a tax that is charged shows its rate, in the table it goes to another owner too", async () => {
  const vat = { ...setting, id: 2, key: "vatpercent", value: "7.5" };
  const { sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "settings.list": [vat],
    "secondPerson.ask": undefined,
  });
  await expect.element(page.getByRole("switch", { name: /^The platform is registered/ })).toBeChecked();
  await press("Edit vatpercent");
  await dialog.getByLabelText("Value").fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByText(/^Change the VAT on the platform's fee from 7.5% to 0%/)).toBeVisible();
  await askAnotherOwner(reason);
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "change_setting", details: { key: "vatpercent", from: "7.5", to: "0" }, reason },
  ]);
});

test("the columns of the bank's files are picked from the list, and refused where the bank couldn't pay by them", async () => {
  const { answers, calls, sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "settings.save": { wasAdded: true, wasChanged: true },
  });
  await says("No columns of your own: files have the usual ones.");
  await press("Choose columns");
  await expect.element(page.getByLabelText("Column 1", { exact: true })).toHaveFocus();
  await expect.element(page.getByLabelText("Title of column 2")).toHaveValue("Account Number");
  await press("Remove column 4");
  await page.getByLabelText("Title of column 1").fill("Name, or so");
  await press("Save columns");
  await alerts("Your bank also needs the amount.");
  await says("A title has no comma, and is one line");
  expect(calls).not.toContain("settings.save");
  await page.getByLabelText("Title of column 1").fill("Payee");
  await press("Remove column 5");
  await press("Add column");
  await page.getByLabelText("Column 5", { exact: true }).selectOptions("amount");
  await page.getByLabelText("Title of column 5").fill("Amt");
  await press("Move column 5 up");
  await expect.element(page.getByLabelText("Column 4", { exact: true })).toHaveFocus();
  await expect.element(page.getByLabelText("Column 4", { exact: true })).toHaveValue("amount");
  await onPhone(async () => {
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  });
  const value = "Payee=name, Account Number=account, Bank Code=bankcode, Amt=amount, Narration=narration";
  answers["settings.list"] = [{ ...setting, key: "payoutcolumns", value }];
  await press("Save columns");
  await tells("Setting updated successfully");
  expect(sentTo("settings.save")).toEqual([{ values: { payoutcolumns: value }, seen: { payoutcolumns: "" } }]);
  for (let left = 5; left > 0; left -= 1) await press("Remove column 1");
  await press("Save columns");
  await expect
    .poll(() => sentTo("settings.save").at(-1))
    .toEqual({ values: { payoutcolumns: "none" }, seen: { payoutcolumns: value } });
});

const account = {
  id: 1,
  bankName: "Test Bank",
  accountName: "Gona Farms Limited",
  accountNumber: "0123456789",
  bankCode: null,
  isActive: true,
  openedOn: null,
  isClosed: false,
  openingKobo: null,
  lastDay: null,
  lastImportedAt: null,
  updatedAt: createdAt,
};
const second = { ...account, id: 2, bankName: "Other Bank", accountNumber: "9876543210", isActive: false };
const accountRow = (name: string) => page.getByRole("listitem").filter({ hasText: name });

test("an own account is added, and what is wrong stands at its field", async () => {
  const { answers, calls, sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "bank.addAccount": () => {
      answers["bank.accounts"] = [account];
      return { accountId: 1 };
    },
  });
  await says("No account yet. Add the one that backers transfer to.");
  await press("Add an account");
  const add = dialog.getByRole("button", { name: "Add account" });
  await dialog.getByLabelText("Account number").fill("12345");
  await add.click();
  await expect.element(dialog.getByText("The account number must be 10 digits")).toBeVisible();
  await expect.element(dialog.getByText("Enter the bank's name: 2 to 100 characters on one line")).toBeVisible();
  expect(calls).not.toContain("bank.addAccount");
  await dialog.getByLabelText("Bank", { exact: true }).fill("Test Bank");
  await dialog.getByLabelText("Account name").fill("Gona Farms Limited");
  await dialog.getByLabelText("Account number").fill("0123456789");
  await add.click();
  await tells("Account added");
  await expect.element(accountRow("Test Bank").getByText("Active: backers transfer here")).toBeVisible();
  expect(sentTo("bank.addAccount")).toEqual([
    { bankName: "Test Bank", accountName: "Gona Farms Limited", accountNumber: "0123456789", bankCode: "" },
  ]);
});

test("an account that backers don't transfer to is closed and opened again; a refusal says why", async () => {
  const { answers } = await openScreen("/admin/settings", {
    ...owner,
    "bank.accounts": [account, second],
    "bank.closeAccount": refusal("conflict", 409, ownAccountTexts.unmatched(2)),
  });
  await expect.element(accountRow("Test Bank").getByRole("button", { name: /^Close/ })).not.toBeInTheDocument();
  const close = async () => {
    await press("Close Other Bank 9876543210");
    await dialog.getByRole("button", { name: "Close the account" }).click();
  };
  await close();
  await says(ownAccountTexts.unmatched(2));
  answers["bank.closeAccount"] = () => {
    answers["bank.accounts"] = [account, { ...second, isClosed: true }];
    return undefined;
  };
  await close();
  await tells(ownAccountTexts.closed);
  answers["bank.reopenAccount"] = () => {
    answers["bank.accounts"] = [account, second];
    return undefined;
  };
  await press("Open Other Bank 9876543210 again");
  await tells(ownAccountTexts.reopened);
});

test("another account becomes active with a second person: what was typed stays, and both are named", async () => {
  const { answers, sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "bank.accounts": [account, second],
    "secondPerson.ask": refusal("conflict", 409, "A second person was already asked for this."),
  });
  await expect.element(accountRow("Test Bank").getByRole("button", { name: /^Make/ })).not.toBeInTheDocument();
  await accountRow("Other Bank").getByRole("button", { name: "Make Other Bank 9876543210 active" }).click();
  await dialog.getByLabelText("Reason").fill("The bank closes our first account.");
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await expect.element(dialog.getByText("A second person was already asked for this.")).toBeVisible();
  answers["secondPerson.ask"] = undefined;
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await tells("Another owner is asked to confirm");
  const details = {
    bankName: "Other Bank",
    accountName: "Gona Farms Limited",
    accountNumber: "9876543210",
    seen: { bankName: "Test Bank", accountName: "Gona Farms Limited", accountNumber: "0123456789" },
  };
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "change_bank_details", details, reason: "The bank closes our first account." },
  ]);
});

test("an account with statements keeps its bank and its number", async () => {
  await openScreen("/admin/settings", {
    ...owner,
    "bank.accounts": [{ ...account, isActive: false, openedOn: "2026-11-01", lastDay: "2026-11-20" }],
    "bank.changeAccount": refusal("conflict", 409, "The accounts were changed in the meantime."),
  });
  await expect.element(accountRow("Test Bank").getByText("Statements up to 20 Nov 2026")).toBeVisible();
  await press("Change Test Bank 0123456789");
  await expect.element(dialog.getByLabelText("Bank", { exact: true })).toBeDisabled();
  await expect.element(dialog.getByLabelText("Account number")).toBeDisabled();
  await dialog.getByLabelText("Account name").fill("Gona Farms Ltd");
  await dialog.getByRole("button", { name: "Change account" }).click();
  await expect.element(dialog.getByText("The accounts were changed in the meantime.")).toBeVisible();
  await expect.element(dialog.getByLabelText("Account name")).toHaveValue("Gona Farms Ltd");
});

test("own accounts that can't be fetched come with another try", async () => {
  const { answers } = await openScreen("/admin/settings", { ...owner, "bank.accounts": serverFault });
  await hasHeading("Failed to fetch the accounts");
  answers["bank.accounts"] = [account];
  await press("Try again");
  await expect.element(accountRow("Test Bank")).toBeVisible();
});

const eid = { id: 7, day: "2099-03-20", name: "Eid el-Fitr", addedByName: "Chidi Eze", isOver: false };

test("a holiday is added with a day and a name, and removed again", async () => {
  const { answers, sentTo } = await openScreen("/admin/settings", {
    ...owner,
    "holidays.list": { today: "2026-11-21", holidays: [] },
    "holidays.add": refusal("conflict", 409, "This day is a holiday already."),
  });
  await says("No holiday is known.");
  await press("Add holiday");
  await says("Choose a day");
  await says("Enter a name of 2 to 100 characters");
  await page.getByLabelText("Day", { exact: true }).fill("2099-03-20");
  await page.getByLabelText("Name", { exact: true }).fill("Eid el-Fitr");
  await press("Add holiday");
  await alerts("This day is a holiday already.");
  await expect.element(page.getByLabelText("Name", { exact: true })).toHaveValue("Eid el-Fitr");
  answers["holidays.add"] = () => {
    answers["holidays.list"] = { today: "2026-11-21", holidays: [eid] };
  };
  await press("Add holiday");
  await tells("Holiday added");
  await says("What was promised before stays as it was.");
  await expect.element(page.getByText("Friday, 20 Mar 2099, added by Chidi Eze")).toBeVisible();
  answers["holidays.remove"] = () => {
    answers["holidays.list"] = { today: "2026-11-21", holidays: [] };
  };
  await press("Remove Eid el-Fitr, 20 Mar 2099");
  await tells("Holiday removed");
  expect(sentTo("holidays.remove")).toEqual([{ holidayId: 7 }]);
});

test("holidays that can't be loaded are asked for again, and those that are over can't be removed", async () => {
  const { answers } = await openScreen("/admin/settings", { ...owner, "holidays.list": serverFault });
  await hasHeading("The holidays could not be loaded");
  const over = { ...eid, day: "2026-10-01", name: "Independence Day", addedByName: null, isOver: true };
  answers["holidays.list"] = { today: "2026-11-21", holidays: [over, eid] };
  await press("Try again");
  await page.getByText("Over this year").click();
  await expect.element(page.getByText("Independence Day")).toBeVisible();
  expect(page.getByRole("button", { name: /Remove Independence Day/ }).elements()).toEqual([]);
});
