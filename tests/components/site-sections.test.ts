import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { papersStay, referencesStay, profileTexts as texts } from "#shared/site/profile-texts.ts";
import {
  type Answers,
  alerts,
  chooseFiles,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt } from "#tests/support/screen-samples.ts";
import { gona, otherOperator } from "#tests/support/site.ts";

/** The sections "Company" and "Look" of the tab "This site". */

const {
  publicUrl: _url,
  hasCareers: _careers,
  reviewDays: _reviewDays,
  reviewTime: _reviewTime,
  markPath: _mark,
  ...profile
} = gona;
const stored = { profile, written: { at: createdAt, by: "Amaka Obi" }, arePrefixesFixed: false };
const field = (name: string | RegExp) => page.getByRole("textbox", { name, exact: typeof name === "string" });

describe("company", () => {
  const address = "/admin/settings?tab=site";
  const answers: Answers = { ...owner, "site.profile": stored };

  test("is filled with what is stored, and saved as a whole with the version that was seen", async () => {
    const { answers: given, sentTo } = await openScreen(address, answers);
    await expect.element(field("Name of the site")).toHaveValue("Gona");
    await says(
      "Version 1, saved on 1 Mar 2026, 10:00 WAT by Amaka Obi. All owners get a mail with what was before and what is now.",
    );
    await fitsPhone();
    await press("Save company");
    await tells(texts.nothingToSave);
    await field("Name of the site").fill("Harvest House");
    const saved = { ...profile, version: 2, name: "Harvest House" };
    given["site.saveCompany"] = { site: { ...gona, ...saved }, wasChanged: true };
    given["site.profile"] = { ...stored, profile: saved };
    await press("Save company");
    await tells(texts.saved);
    expect(sentTo("site.saveCompany")).toMatchObject([
      { name: "Harvest House", legalName: gona.legalName, seenVersion: 1 },
    ]);
    await expect.element(page.getByRole("banner").getByText("Harvest House")).toBeVisible();
  });

  test("what has no right form is told at its field, before anything is sent", async () => {
    const { calls } = await openScreen(address, answers);
    await field("Company number").fill("123");
    await field("Phone").fill("call me");
    await press("Save company");
    await says(texts.companyNumberInvalid);
    await says(texts.phoneInvalid);
    await expect.element(field("Company number")).toHaveFocus();
    expect(calls).not.toContain("site.saveCompany");
  });

  test("prefixes that are out can't be typed over, and say why", async () => {
    await openScreen(address, { ...answers, "site.profile": { ...stored, arePrefixesFixed: true } });
    await says(referencesStay("GONA"));
    await says(papersStay("G"));
    await expect.element(field("Prefix of payment references")).toHaveAttribute("readonly");
    await expect.element(field("Letter of paper numbers")).toHaveAttribute("readonly");
  });

  test("a prefix that went out meanwhile is refused at its field", async () => {
    const wrong = { referencePrefix: [referencesStay("GONA")] };
    await openScreen(address, { ...answers, "site.saveCompany": refusal("invalid", 400, "x", { fields: wrong }) });
    await field("Prefix of payment references").fill("HH");
    await press("Save company");
    await says(referencesStay("GONA"));
    await expect.element(field("Prefix of payment references")).toHaveFocus();
  });

  test("another owner's change keeps what was typed, and marks the field that differs", async () => {
    const { answers: given } = await openScreen(address, {
      ...answers,
      "site.saveCompany": refusal("conflict", 409, texts.changedMeanwhile),
    });
    await field("Tagline").fill("Mine.");
    given["site.profile"] = { ...stored, profile: { ...profile, version: 2, tagline: "Theirs.", name: "Theirs" } };
    await press("Save company");
    await alerts(texts.changedMeanwhile);
    await says("Another owner has saved “Theirs.” here.");
    await expect.element(field("Tagline")).toHaveValue("Mine.");
    await expect.element(field("Name of the site")).toHaveValue("Theirs");
  });

  test("a failure to load or to save is told, and mended by another try", async () => {
    const { answers: given } = await openScreen(address, { ...answers, "site.profile": serverFault });
    await hasHeading(texts.loadFailed);
    given["site.profile"] = stored;
    await press("Try again");
    await field("Name of the site").fill("Harvest House");
    given["site.saveCompany"] = serverFault;
    await press("Save company");
    await alerts(texts.saveFailed);
    await expect.element(field("Name of the site")).toHaveValue("Harvest House");
  });
});

describe("look", () => {
  const address = "/admin/settings?tab=site&section=look";
  const fault = "White text on this green reads badly (3.1 to 1; 4.5 is needed). The nearest that works is #1e4b25.";
  const shades = Array.from({ length: 10 }, (_, index) => (index < 4 ? "#e7f3e8" : "#1e4b25"));
  const passed = {
    look: { color: "#1e4b25", shades },
    roles: {
      button: { light: "#1e4b25", dark: "#1e4b25" },
      text: { light: "#1e4b25", dark: "#dceeda" },
      tint: "#e7f3e8",
    },
  };
  const answers: Answers = {
    ...owner,
    "site.profile": stored,
    "site.tryColor": ({ color }) => (color === "#1e4b25" ? passed : { fault, nearest: "#1e4b25" }),
  };
  const save = page.getByRole("button", { name: "Save look" });
  const preview = page.getByRole("region", { name: "Preview" });

  test("a colour that reads badly is refused with the nearest that works, and a button takes it", async () => {
    const { answers: given, sentTo } = await openScreen(address, answers);
    await field("Colour").fill("40A050");
    await says(fault);
    await expect.element(save).toBeDisabled();
    await fitsPhone();
    await press("Take #1e4b25");
    await expect.element(field("Colour")).toHaveValue("#1e4b25");
    await expect.element(page.getByText(fault)).not.toBeInTheDocument();
    await expect.poll(() => (preview.element() as HTMLElement).style.getPropertyValue("--brand")).toBe("#1e4b25");
    const saved = { ...profile, version: 2, look: passed.look };
    given["site.saveLook"] = { site: { ...gona, ...saved }, wasChanged: true };
    given["site.profile"] = { ...stored, profile: saved };
    await press("Save look");
    await tells(texts.saved);
    expect(sentTo("site.saveLook")).toEqual([{ color: "#1e4b25", markFileId: null, seenVersion: 1 }]);
    // As a fresh page would come with it.
    expect(document.getElementById("look")?.textContent).toContain("--brand:#1e4b25");
    document.getElementById("look")?.remove();
  });

  test("the preview shows the saved colour over a refused one, and the software's own when the field is emptied", async () => {
    const green = { ...passed.roles, button: { light: "#165726", dark: "#165726" } };
    await openScreen(address, {
      ...answers,
      "site.profile": { ...stored, profile: { ...profile, look: passed.look } },
      "site.tryColor": ({ color }) =>
        color === "#165726" ? { look: passed.look, roles: green } : { fault, nearest: "#1e4b25" },
    });
    const brand = () => (preview.element() as HTMLElement).style.getPropertyValue("--brand");
    await field("Colour").fill("#40a050");
    await says(fault);
    expect(brand()).toBe("#1e4b25");
    await field("Colour").fill("");
    await expect.poll(brand).toBe("#165726");
  });

  test("what is no colour is told when it is saved, and nothing is asked of it", async () => {
    const { calls } = await openScreen(address, answers);
    await field("Colour").fill("green");
    await press("Save look");
    await says(texts.colorInvalid);
    expect(calls).not.toContain("site.tryColor");
    expect(calls).not.toContain("site.saveLook");
  });

  test("a mark is uploaded, seen, and given up for the first letter; one that fails isn't saved", async () => {
    const markFileId = "00000000-0000-4000-8000-0000000000aa";
    const { uploads } = await openScreen(address, answers, {}, otherOperator);
    const mark = page.getByLabelText("Mark");
    const picture = new File(["x"], "mark.png", { type: "image/png" });
    await chooseFiles(mark, picture);
    await expect.poll(() => uploads.length).toBe(1);
    await expect.element(save).toBeDisabled();
    uploads[0]?.answer(200, { fileId: markFileId });
    const source = `/files/marks/${markFileId}/192.png`;
    const shown = () => preview.element().querySelector("img")?.getAttribute("src");
    await expect.poll(shown).toBe(source);

    // A refused file replaces the first one, which no longer stands in the field.
    await press("Remove mark.png");
    await expect.poll(shown).toBeUndefined();
    await chooseFiles(mark, picture);
    await expect.poll(() => uploads.length).toBe(2);
    uploads[1]?.answer(400, { error: { reason: "invalid", message: "x", fields: { file: ["Too small"] } } });
    await expect.element(save).toBeEnabled();
    await expect.poll(shown).toBeUndefined();

    await press("Remove mark.png");
    await chooseFiles(mark, picture);
    await expect.poll(() => uploads.length).toBe(3);
    uploads[2]?.answer(200, { fileId: markFileId });
    await press("Use the first letter instead");
    await expect.poll(shown).toBeUndefined();
    await expect.element(page.getByText("mark.png")).not.toBeInTheDocument();
    await press("Save look");
    await tells(texts.nothingToSave);
  });

  test.each([
    ["another owner's change", refusal("conflict", 409, texts.changedMeanwhile), texts.changedMeanwhile],
    ["a picture that is gone", refusal("not_found", 404, texts.markGone), texts.markGone],
    ["a failure", serverFault, texts.saveFailed],
  ])("%s is told, and the colour stays chosen", async (_, answer, told) => {
    await openScreen(address, { ...answers, "site.saveLook": answer });
    await field("Colour").fill("#1e4b25");
    await press("Save look");
    await alerts(told);
    await expect.element(field("Colour")).toHaveValue("#1e4b25");
  });

  test("a failure to load is told, and mended by another try", async () => {
    const { answers: given } = await openScreen(address, { ...answers, "site.profile": serverFault });
    await hasHeading(texts.loadFailed);
    given["site.profile"] = stored;
    await press("Try again");
    await expect.element(preview).toBeVisible();
  });
});
