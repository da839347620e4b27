import { describe, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { authTexts } from "#shared/accounts/inputs.ts";
import { errorTexts } from "#shared/errors.ts";
import { setupSteps, setupTexts } from "#shared/site/setup-texts.ts";
import {
  type Answers,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  setUp,
} from "#tests/support/app-screen.ts";

/** A site without an owner, and the steps after it has one. */

const invalid = (field: string, text: string) => refusal("invalid", 400, text, { fields: { [field]: [text] } });
const gone = refusal("not_found", 404, errorTexts.notFound);
const field = (name: string) => page.getByRole("textbox", { name });

describe("/setup", () => {
  const open: Answers = { "setup.open": { isOpen: true }, "setup.checkCode": undefined };

  test("takes the code from the log, then the first owner's account, and leads to the second factor", async () => {
    const sent: unknown[] = [];
    const { answers, path } = await openScreen("/setup", {
      ...owner,
      ...open,
      "auth.viewer": null,
      "twoFactor.status": { enabledAt: null, recoveryCodesLeft: 0, isMandatory: false },
    });
    await hasHeading("Set up this site");
    await fitsPhone();
    await press("Go on");
    await expect.element(page.getByText("Enter the code from the server's log")).toBeVisible();
    await expect.element(field("Code")).toHaveFocus();
    answers["setup.checkCode"] = invalid("code", setupTexts.codeWrong);
    await field("Code").fill("2222-2222");
    await press("Go on");
    await expect.element(page.getByText(setupTexts.codeWrong)).toBeVisible();
    await expect.element(field("Code")).toHaveValue("2222-2222");
    answers["setup.checkCode"] = undefined;
    await field("Code").fill("7K3P-9Q2M");
    await press("Go on");

    await hasHeading("You");
    await expect.element(field("Full Name")).toHaveFocus();
    await press("Create my account");
    await expect.element(page.getByText(authTexts.fullNameRequired)).toBeVisible();
    await field("Full Name").fill("Amaka Obi");
    await field("Email").fill("amaka@farm.example");
    await field("Password").fill("Cassava-Harvest-2027");
    await expect.element(page.getByText("Very Strong")).toBeVisible();
    await fitsPhone();
    answers["setup.begin"] = invalid("email", authTexts.emailTaken);
    await press("Create my account");
    await expect.element(page.getByText(authTexts.emailTaken)).toBeVisible();
    await expect.element(field("Email")).toHaveFocus();
    answers["setup.begin"] = (input) => {
      sent.push(input);
      answers["auth.viewer"] = owner["auth.viewer"];
      return undefined;
    };
    await press("Create my account");
    await hasHeading("Protect your account");
    expect(path()).toBe("/admin/two-factor");
    const account = { fullName: "Amaka Obi", email: "amaka@farm.example", password: "Cassava-Harvest-2027" };
    expect(sent).toEqual([{ ...account, code: "7K3P-9Q2M" }]);
    await expect.element(page.getByRole("link", { name: "Later" })).toHaveAttribute("href", "/admin/set-up");
  });

  test("is an unknown page once the site has an owner, also for whoever is filling it in", async () => {
    await openScreen("/setup", { "setup.open": gone });
    await hasHeading("Page not found");
  });

  test("that others finished meanwhile is gone when the code is sent", async () => {
    const { answers } = await openScreen("/setup", { ...open, "setup.checkCode": gone });
    await field("Code").fill("7K3P-9Q2M");
    answers["setup.open"] = gone;
    await press("Go on");
    await hasHeading("Page not found");
  });
});

describe("the steps", () => {
  const step = (name: string) => page.getByRole("listitem").filter({ hasText: name });

  test("say what is done, what is left, and lead to where it is done", async () => {
    const state = setUp("you", "company", "bank", "look", "rules");
    await openScreen("/admin/set-up", {
      ...owner,
      "setup.steps": {
        ...state,
        isClosedForMoney: true,
        company: { legalName: "Green Farms Limited", companyNumber: "RC 123456", address: "4 Allen Avenue" },
        invited: "tunde@farm.example",
      },
    });
    await expect.element(page.getByText("5 of 8 done. Take the rest in any order.")).toBeVisible();
    await expect.element(page.getByText(/not available until these are done: mail, texts\./)).toBeVisible();
    await expect.element(step("Green Farms Limited, RC 123456")).toBeVisible();
    await expect.element(step("tunde@farm.example is invited, and hasn't come yet.")).toBeVisible();
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    await expect.element(link("Set up: Mail")).toHaveAttribute("href", "/admin/set-up?step=mail");
    await expect.element(link("Set up: Legal texts")).toHaveAttribute("href", "/admin/settings?tab=site&section=texts");
    await expect.element(link("Change: Company")).toHaveAttribute("href", "/admin/settings?tab=site");
    await expect.element(link("Set up: Second owner")).toHaveAttribute("href", "/admin/settings?tab=admins");
    await fitsPhone();
  });

  test("mail: a code is sent, a wrong one is refused, the right one proves it", async () => {
    const { answers, calls } = await openScreen("/admin/set-up?step=mail", { ...owner, "setup.steps": setUp("you") });
    await expect.element(page.getByText("To do")).toBeVisible();
    const sentTo = "amaka@farm.example";
    answers["setup.sendMailCode"] = () => {
      answers["setup.steps"] = { ...setUp("you"), mail: { isKept: false, hasServer: true, sentTo } };
      return { sentTo };
    };
    await press("Send me a code");
    await expect.element(page.getByText(`Sent to ${sentTo}. It holds for 24 hours.`)).toBeVisible();
    await fitsPhone();
    await press("It has arrived");
    await expect.element(page.getByText(setupTexts.mailCodeMissing)).toBeVisible();
    answers["setup.proveMail"] = invalid("code", setupTexts.mailCodeWrong);
    await field("Code from the mail").fill("2222-2222");
    await press("It has arrived");
    await expect.element(page.getByText(setupTexts.mailCodeWrong)).toBeVisible();
    answers["setup.proveMail"] = () => {
      answers["setup.steps"] = { ...setUp("you", "mail"), mail: { isKept: false, hasServer: true, sentTo } };
      return undefined;
    };
    await press("It has arrived");
    await expect.element(page.getByText("Done", { exact: true })).toBeVisible();
    expect(calls.filter((call) => call === "setup.proveMail")).toHaveLength(2);
  });

  test("mail: a real site without a mail server is told so, and what to do", async () => {
    const mail = { isKept: true, hasServer: false, sentTo: null };
    await openScreen("/admin/set-up?step=mail", { ...owner, "setup.steps": { ...setUp(), mail } });
    await expect.element(page.getByText("Mails don't leave this server.", { exact: true })).toBeVisible();
    await expect.element(page.getByText(/set SMTP_URL to your mail server/)).toBeVisible();
    expect(page.getByRole("button", { name: "Send me a code" }).elements()).toEqual([]);
  });

  test("rules: what holds can be kept as it is", async () => {
    const saved: unknown[] = [];
    const state = { ...setUp(), rules: [{ key: "holdhours", value: "48" }] };
    const { answers } = await openScreen("/admin/set-up?step=rules", { ...owner, "setup.steps": state });
    await expect.element(page.getByText("48 hours")).toBeVisible();
    await fitsPhone();
    answers["settings.save"] = (input) => {
      saved.push(input);
      answers["setup.steps"] = setUp("rules");
      return { wasAdded: true, wasChanged: true };
    };
    await press("Keep them");
    await expect.element(page.getByText("Done", { exact: true })).toBeVisible();
    expect(saved).toEqual([
      {
        values: { platformfee: "5", refunddays: "5", reviewdays: "1" },
        seen: { platformfee: "", refunddays: "", reviewdays: "" },
      },
    ]);
  });

  test("that can't be loaded are asked for again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { answers } = await openScreen("/admin/set-up", {
      ...owner,
      "setup.steps": refusal("forbidden", 403, "No."),
    });
    await expect.element(page.getByText("The steps could not be loaded")).toBeVisible();
    answers["setup.steps"] = setUp(...setupSteps);
    await press("Try again");
    await expect.element(page.getByText("All of it is done.")).toBeVisible();
  });
});

describe("the dashboard", () => {
  test("counts what is done until all of it is", async () => {
    const state = setUp("you", "company", "look", "bank", "rules");
    const { answers, reload } = await openScreen("/admin/dashboard", { ...owner, "setup.steps": state });
    await expect.element(page.getByText("5 of 8 done: mail, texts, second owner")).toBeVisible();
    const link = page.getByRole("link", { name: "Set up this site" });
    await expect.element(link).toHaveAttribute("href", "/admin/set-up");
    answers["setup.steps"] = setUp(...setupSteps);
    await reload();
    await hasHeading("Dashboard");
    await expect.element(link).not.toBeInTheDocument();
  });

  test("says nothing of it in the demo", async () => {
    const { calls } = await openScreen("/admin/dashboard", { ...owner, "setup.steps": setUp() }, {}, { isDemo: true });
    await hasHeading("Dashboard");
    await expect.poll(() => calls).toContain("dashboard.projects");
    expect(calls).not.toContain("setup.steps");
  });
});
