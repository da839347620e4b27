import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { termsFieldTexts } from "#shared/projects/terms.ts";
import { defaultTerms, harvestOptions, termsTexts } from "#shared/projects/terms-texts.ts";
import { termsOfTemplate } from "#shared/reports/templates.ts";
import {
  type Answers,
  alerts,
  backer,
  dialog,
  fitsPhone,
  hasHeading,
  noConnection,
  onPhone,
  openScreen,
  owner,
  press,
  refusal,
  says,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt, dashboardProject, editedProject as edited } from "#tests/support/screen-samples.ts";

/** The way to a project's forms, their messages about the input, and the input that survives a failing server. */

const ownerViewer = owner["auth.viewer"] as Extract<Answers["auth.viewer"], { permissions: unknown }>;
const viewer: Answers = { ...owner, "auth.viewer": { ...ownerViewer, permissions: ["projects:view"] } };
const creator: Answers = { ...owner, "projects.defaultTerms": defaultTerms(500) };
const title = page.getByLabelText(/^Project Title/);
const category = page.getByLabelText(/^Category/);
const goal = page.getByLabelText(/^Funding Goal/);
const duration = page.getByLabelText(/^Duration/);
const summary = page.getByLabelText(/^Short Description/);
const place = page.getByLabelText(/^Location/);
const editor = page.getByRole("textbox", { name: /^Full Description/ });
const story = "Forty pens of giant snails, looked after by two families who have kept snails for years.";

const home = "/";
const dashboard = "/admin/dashboard";
test.each([
  ["nobody", false, "/create-project", "You must be an admin to access this page", home, {}],
  ["a backer", false, "/edit-project/1", "You must be an admin to access this page", home, backer],
  ["nobody", true, "/create-project", "You must be an admin to create projects", home, {}],
  ["a backer", true, "/edit-project/1", "You must be an admin to edit projects", home, backer],
  ["a viewer", true, "/create-project", "You don't have permission to create projects", dashboard, viewer],
  ["a viewer", true, "/edit-project/1", "You don't have permission to edit projects", dashboard, viewer],
] as const)("%s (flag: %s) at %s reads: %s", async (_, hasFlag, form, message, target, who) => {
  if (hasFlag) localStorage.setItem("isAdmin", "true");
  const { path } = await openScreen(form, who);
  await alerts("Access Denied");
  await alerts(message);
  await expect.poll(path).toBe(target);
});

test("an id that is none leads to the dashboard", async () => {
  const { path } = await openScreen("/edit-project/abc", owner);
  await alerts("Error: Invalid project ID");
  await expect.poll(path).toBe(dashboard);
});

test("a title that is too long is told and kept, not cut in silence", async () => {
  await openScreen("/create-project", creator);
  const long = "Catfish ".repeat(13);
  await title.fill(long);
  await expect.element(title).toHaveValue(long);
  await expect.element(title).toHaveAccessibleDescription(expect.stringContaining("100 characters"));
  await expect.element(title).toHaveAttribute("aria-invalid", "true");
  await place.fill("A".repeat(101));
  await says("Location must be at most 100 characters");
  await press("Next");
  await expect.element(title).toHaveFocus();
});

const shownStep = (name: string) =>
  expect.element(page.getByRole("tab", { name })).toHaveAttribute("aria-selected", "true");

test("the wizard checks each step by the specified messages, and opens no later one", async () => {
  await openScreen("/create-project", creator);
  await expect.element(page.getByText(/published immediately after submission/)).toBeVisible();
  await shownStep("1. Basics");
  await expect.element(page.getByRole("tab", { name: "2. Story" })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Back" })).toBeDisabled();
  await expect.element(goal).toHaveValue("1000");
  await expect.element(duration).toHaveValue("30");

  await press("Next");
  await says("Title must be at least 5 characters");
  await says("Please select a category");
  await says("Short description must be at least 10 characters");
  await expect.element(title).toHaveFocus();
  await fitsPhone();
  await goal.fill("99");
  await says("Funding goal must be at least $100");
  await goal.fill("");
  await says("Required");
  await goal.fill("1,250,000");
  await says("₦1,250,000");
  await duration.fill("0");
  await says("Duration must be at least 1 day");
  await duration.fill("61");
  await says("Duration must be at most 60 days");
  await duration.fill("45");
  await summary.fill("x".repeat(501));
  await says("Short description must be at most 500 characters");
  await summary.fill("Forty pens of giant snails near Epe.");
  await title.fill("Snail pens at Epe");
  await category.selectOptions("livestock");
  await press("Next");

  await shownStep("2. Story");
  await expect.element(editor).toBeVisible();
  await press("Next");
  await says("Full description must be at least 50 characters");
  await page.getByLabelText(/^Video URL/).fill("youtube");
  await says("Please enter a valid URL");
  await page.getByLabelText(/^Video URL/).fill("");
  const image = page.getByLabelText(/^Image URL/);
  await image.fill("");
  await says("Main image is required");
  await image.fill("http://pictures.example/farm.png");
  await says("Please enter a valid URL");
  await fitsPhone();
  await page.getByRole("tab", { name: "1. Basics" }).click();
  await expect.element(title).toHaveValue("Snail pens at Epe");
});

test("the wizard asks before it is left, keeps all when the server fails, and publishes once", async () => {
  const keys: string[] = [];
  const published: unknown[] = [];
  const { answers, path, reload } = await openScreen("/create-project", {
    ...creator,
    "projects.create": ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return noConnection;
    },
  });
  await title.fill("Kept farm");
  await page.getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("dialog", { name: "Leave without publishing?" }).getByRole("button", { name: "Stay" }).click();
  await expect.element(title).toHaveValue("Kept farm");
  await category.selectOptions("tech");
  await summary.fill("A farm that a failing server must not lose.");
  await press("Next");
  await editor.click();
  await userEvent.keyboard(story);
  await press("Next");
  // The terms are shown in the words that backers read, so that nobody publishes them unread.
  await says(termsTexts.preview);
  await says("No costs are taken from the sales. The platform's fee is 5% of your sales.");
  await fee.fill("31");
  await says(termsTexts.unreadable);
  await press("Publish Project");
  await says(termsFieldTexts.fee);
  await expect.element(fee).toHaveFocus();
  expect(keys).toEqual([]);
  await fee.fill("7.5");
  await page.getByLabelText("Planned quantity").fill("300");
  await says("It expects 300 shares in all. A plan is not a promise.");
  // What is farmed fills in the unit, the costs and the figures of reports; costs that somebody typed stay.
  const farmed = page.getByLabelText("What is farmed");
  await farmed.selectOptions("snail");
  await farmed.selectOptions("catfish");
  await says("It expects 300 kg in all. A plan is not a promise.");
  const costs = page.getByLabelText("Deductible costs");
  await expect.element(costs).toHaveValue(termsOfTemplate.catfish.deductibleCosts.join("\n"));
  await costs.fill("Feed");
  await farmed.selectOptions("tilapia");
  await expect.element(costs).toHaveValue("Feed");
  await page.getByText(/^Each report asks for: Fish alive, Died/).click();
  const name = page.getByRole("group", { name: "Fish alive" }).getByLabelText("Name");
  await name.fill("");
  await press("Publish Project");
  await alerts("Give every figure a name.");
  await page.getByRole("group", { name: "New figure" }).getByLabelText("Name").fill("Tilapia alive");
  await fitsPhone();
  await press("Publish Project");
  await alerts("Failed to create project: Network error. Please check your internet connection.");
  // Nobody knows whether it arrived. Sent again it is the same project, even after a reload.
  await reload();
  await shownStep("3. Rewards");
  await expect.element(fee).toHaveValue("7.5");
  const [firstPart] = termsOfTemplate.tilapia.releaseParts;
  await expect.element(page.getByLabelText("What it is for").first()).toHaveValue(firstPart?.label ?? "");
  // The server's refusal of a term leads to its field.
  answers["projects.create"] = refusal("invalid", 400, termsFieldTexts.fee, {
    fields: { "terms.fee": [termsFieldTexts.fee] },
  });
  await press("Publish Project");
  await expect.element(fee).toHaveFocus();
  await expect.element(fee).toHaveValue("7.5");
  answers["projects.create"] = ({ idempotencyKey, terms, reportPlan }) => {
    keys.push(idempotencyKey);
    published.push(terms, reportPlan);
    return { id: 1 };
  };
  await press("Publish Project");
  await tells("Success!");
  await expect.poll(path).toBe(dashboard);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(published).toEqual([
    expect.objectContaining({ fee: "7.5", plannedQuantity: "300", unit: "kg", options: [...harvestOptions] }),
    expect.objectContaining({ template: "tilapia", everyDays: 7, weekday: 5, endsOn: null }),
  ]);
});

test("the edit screen saves and goes back, and an empty reward is told first", async () => {
  const { path, sentTo } = await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": edited,
    "projects.update": undefined,
  });
  for (const name of ["Project Details", "Project Story"]) await hasHeading(name);
  await expect.element(page.getByRole("link", { name: "Back to Dashboard" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect.element(goal).toHaveValue("500,000");
  await place.fill("Epe, Lagos");
  await press("Add Another Reward Tier");
  await press("Save Changes");
  await says("Please name the reward");
  expect(sentTo("projects.update")).toEqual([]);
  await press("Remove reward tier 1");
  await press("Save Changes");
  await tells("Project updated successfully");
  expect(sentTo("projects.update")).toMatchObject([{ projectId: 1, location: "Epe, Lagos", seenUpdatedAt: createdAt }]);
  await expect.poll(path).toBe(dashboard);
});

test("what was typed is back after a reload, says so, and is discarded on request", async () => {
  const { reload } = await openScreen("/edit-project/1", { ...owner, "projects.forEdit": edited });
  await place.fill("Epe, Lagos");
  await duration.fill("45");
  await reload();
  await says("Your unsaved changes are back");
  await expect.element(duration).toHaveValue("45");
  await fitsPhone();
  await press("Discard my changes");
  await expect.element(page.getByText("Your unsaved changes are back")).not.toBeInTheDocument();
  await reload();
  await expect.element(place).toHaveValue("Epe");
});

test("what somebody else saved is never overwritten unseen: one takes theirs, or saves over it", async () => {
  const seen: Date[] = [];
  const { answers, path } = await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": edited,
    "projects.update": refusal("conflict", 409, projectAdminTexts.changed),
  });
  await place.fill("My town");
  await press("Save Changes");
  await alerts(`Failed to update project: ${projectAdminTexts.changed}`);
  await expect.element(page.getByText(/^What you typed is still here\./)).toBeVisible();
  // The choice stands free beside the toast, on a phone too.
  await onPhone(async () => {
    await press("Save Changes");
    for (const name of ["Save my version", "Load their version"]) {
      const isFree = () => {
        const button = page.getByRole("button", { name }).element();
        const { x, y, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      };
      await expect.poll(isFree, { message: name }).toBe(true);
    }
  });
  answers["projects.forEdit"] = noConnection;
  await press("Load their version");
  await alerts("Failed to load project: Network error. Please check your internet connection.");
  await expect.element(place).toHaveValue("My town");
  const theirs = { ...edited, location: "Their town", updatedAt: new Date(createdAt.getTime() + 1000) };
  answers["projects.forEdit"] = theirs;
  await press("Load their version");
  await expect.element(place).toHaveValue("Their town");

  await place.fill("My town");
  await press("Save Changes");
  await expect.element(page.getByRole("button", { name: "Save my version" })).toBeVisible();
  answers["projects.update"] = ({ seenUpdatedAt }) => {
    seen.push(seenUpdatedAt);
    return undefined;
  };
  await press("Save my version");
  await tells("Project updated successfully");
  expect(seen).toEqual([theirs.updatedAt]);
  await expect.poll(path).toBe(dashboard);
});

test("a project that was deleted meanwhile is said to be so, and what was typed can be copied", async () => {
  await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": edited,
    "projects.update": refusal("not_found", 404, projectAdminTexts.notFound),
  });
  await place.fill("Nowhere");
  await press("Save Changes");
  await alerts("Failed to update project: Project not found");
  await expect.element(page.getByText(/^Somebody deleted this project while you were editing it/)).toBeVisible();
  await expect.element(place).toHaveValue("Nowhere");
});

const fee = page.getByLabelText("Platform's fee");
const saveTerms = () => press("Save harvest terms");

test("harvest terms are saved by themselves; a fault and a failure keep what was typed", async () => {
  const { answers, sentTo } = await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": edited,
    "projects.updateTerms": noConnection,
  });
  await expect.element(page.getByRole("button", { name: "Save harvest terms" })).toBeDisabled();
  await fee.fill("31");
  await saveTerms();
  await says(termsFieldTexts.fee);
  await expect.element(fee).toHaveFocus();
  await fee.fill("7.5");
  await page.getByRole("checkbox", { name: "The harvest is insured" }).click();
  await page.getByLabelText("Insurer").fill("Naic");
  await page.getByLabelText("Policy").fill("A-17");
  await page.getByLabelText("Who is paid, and for what").fill("The farm, for a flood.");
  await saveTerms();
  await alerts(termsTexts.saveFailed);
  await expect.element(fee).toHaveValue("7.5");

  answers["projects.updateTerms"] = refusal("conflict", 409, termsTexts.changed);
  await saveTerms();
  await says("What you typed is still here, and isn't saved.");
  await expect.element(fee).toHaveValue("7.5");
  await fitsPhone();
  answers["projects.updateTerms"] = () => {
    const insurance = { insurer: "Naic", policy: "A-17", covers: "The farm, for a flood." };
    answers["projects.forEdit"] = { ...edited, terms: { ...defaultTerms(750), insurance, version: 2 } };
    return undefined;
  };
  await saveTerms();
  await tells(termsTexts.saved);
  const insurance = { insurer: "Naic", policy: "A-17", covers: "The farm, for a flood." };
  expect(sentTo("projects.updateTerms")).toEqual([
    expect.objectContaining({ projectId: 1, seenVersion: 1, fee: "7.5", insurance }),
  ]);
  await expect.element(page.getByRole("button", { name: "Save harvest terms" })).toBeDisabled();
});

test("terms that somebody else saved meanwhile are loaded on request; frozen ones can only be read", async () => {
  const { answers, reload } = await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": edited,
    "projects.updateTerms": refusal("conflict", 409, termsTexts.changed),
  });
  await place.fill("My town");
  await fee.fill("7.5");
  await saveTerms();
  answers["projects.forEdit"] = { ...edited, terms: { ...defaultTerms(300), version: 2 } };
  await press("Load what is stored");
  await expect.element(fee).toHaveValue("3");
  await expect.element(place).toHaveValue("My town");

  answers["projects.forEdit"] = { ...edited, lockedBy: "decided" };
  await reload();
  await says(termsTexts.frozen.decided);
  await expect.element(fee).toHaveAttribute("readonly");
  await expect.element(page.getByRole("checkbox", { name: "The harvest is insured" })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Save harvest terms" })).not.toBeInTheDocument();
});

test("a clone that is asked for again after a lost answer is the same one, another wish another one", async () => {
  const keys: string[] = [];
  const { answers } = await openScreen("/admin/dashboard", {
    ...owner,
    "dashboard.projects": { items: [dashboardProject], nextCursor: null },
    "projects.clone": ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return noConnection;
    },
  });
  const ask = async () => {
    await press(`Actions for ${dashboardProject.title}`);
    await page.getByRole("menuitem", { name: "Clone", exact: true }).click();
  };
  const confirm = () => dialog.getByRole("button", { name: "Clone Project" }).click();
  await ask();
  await confirm();
  await expect.element(page.getByRole("alert").getByText(/^Failed to clone project: /)).toBeVisible();
  answers["projects.clone"] = ({ idempotencyKey }) => {
    keys.push(idempotencyKey);
    return { id: 2, title: "Ponds at Epe (Clone)" };
  };
  // The question stays, for another try.
  await confirm();
  await tells("Project cloned successfully");
  await expect.element(dialog).not.toBeInTheDocument();
  // The message lies above the project's menu on a small screen.
  await press("Dismiss message");
  await ask();
  await confirm();
  await expect.poll(() => keys.length).toBe(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("the farm that runs a project is chosen by a part of its name, and one that is only typed is refused", async () => {
  const farms = [{ id: 7, name: "Epe Ponds", state: "Lagos" as const, place: "Epe" }];
  const { sentTo, answers } = await openScreen("/edit-project/1", {
    ...owner,
    "projects.forEdit": edited,
    "projects.update": undefined,
    "farms.search": ({ search }) => ({ farms: search === "zz" ? [] : farms, hasMore: false }),
  });
  const runBy = page.getByLabelText("Run by", { exact: true });
  await runBy.fill("zz");
  await says("No farm found. Add it under Farms first.");
  await press("Save Changes");
  await says("Choose a farm from the list, or empty the field");
  await expect.element(runBy).toHaveFocus();
  await runBy.fill("epe");
  await page.getByRole("option", { name: /Epe Ponds/ }).click();
  await expect.element(runBy).toHaveValue("Epe Ponds");
  await fitsPhone();
  await press("Save Changes");
  await tells("Project updated successfully");
  expect(sentTo("projects.update")).toMatchObject([{ farmId: 7 }]);
  answers["projects.forEdit"] = { ...edited, farm: farms[0] ?? null, isFarmFixed: true };
  await openScreen("/edit-project/1", answers);
  await says("Lots of this round are sold. It stays with the farm that runs it.");
  await expect.element(page.getByLabelText("Run by", { exact: true })).toHaveAttribute("readonly");
});
