import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Permission } from "#shared/permissions.ts";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import {
  type Answers,
  alerts,
  dialog,
  hasHeading,
  noConnection,
  openScreen,
  owner,
  press,
  refusal,
  tells,
} from "#tests/support/app-screen.ts";
import { createdAt, dashboardProject } from "#tests/support/screen-samples.ts";

/** The administrators' dashboard, where the server isn't reached or refuses. */

const filled: Answers = {
  ...owner,
  "secondPerson.list": { requests: [] },
  "dashboard.projects": { items: [dashboardProject], nextCursor: null },
};
const ownerViewer = owner["auth.viewer"] as Extract<Answers["auth.viewer"], { permissions: unknown }>;
const noMoney = { pending: { count: 0, kobo: 0n }, approvedThisMonth: { count: 0, kobo: 0n } };
const row = page.getByRole("row").filter({ hasText: dashboardProject.title });

test("without a connection at the verification it says so", async () => {
  // React tells of what the error page is for.
  vi.spyOn(console, "error").mockImplementation(() => {});
  await openScreen("/admin/dashboard", { ...filled, "auth.viewer": noConnection });
  await alerts("Network error: Unable to connect to server");
  await hasHeading("Network Error");
  await expect.element(page.getByText(/^Unable to load projects.../)).toBeVisible();
});

test("rows that are there stay where a refresh fails", async () => {
  const { answers } = await openScreen("/admin/dashboard", filled);
  await expect.element(row).toBeVisible();
  answers["dashboard.projects"] = noConnection;
  await press("Refresh");
  await expect.element(page.getByText(/Unable to load projects... The rows above may be out of date./)).toBeVisible();
  await expect.element(row).toBeVisible();
});

test("owners read that mails don't leave the server, and what to do", async () => {
  const { answers, reload } = await openScreen("/admin/dashboard", { ...filled, "alarms.mail": { isKept: true } });
  await expect.element(page.getByText("Mails don't leave this server.", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/set SMTP_URL to your mail server/)).toBeVisible();
  answers["alarms.mail"] = { isKept: false };
  await reload();
  await expect.element(row).toBeVisible();
  await expect.element(page.getByText("Mails don't leave this server.")).not.toBeInTheDocument();
});

test("a project's actions lead to what of its farm's money waits for an owner", async () => {
  const { id: projectId, title: projectTitle } = dashboardProject;
  const about = { projectId, projectTitle, round: 1, done: 0 };
  await openScreen("/admin/dashboard", {
    ...filled,
    "dashboard.waiting": [
      { kind: "decide_round", ...about, lots: 40, approvedLots: 12 },
      { kind: "settle_sales", ...about, harvestId: 3, number: 1, isInsurance: false, amountKobo: 1_040_000_00n },
    ],
  });
  await press(`Actions for ${projectTitle}`);
  await expect.element(page.getByRole("menuitem", { name: "Settle the sales" })).toBeVisible();
  await expect
    .element(page.getByRole("menuitem", { name: "Decide on the round" }))
    .toHaveAttribute("href", `/project-updates/${projectId}`);
});

test("lists what waits today, late work first, each line with the way to its list", async () => {
  const now = new Date(createdAt.getTime() + 12 * 86_400_000);
  const { answers, reload } = await openScreen("/admin/dashboard", {
    ...filled,
    "dashboard.today": {
      now,
      lines: [
        { kind: "late_reports", count: 1, late: 1, oldest: createdAt },
        { kind: "receipts", count: 3, late: 0, oldest: createdAt },
        { kind: "contact", count: 1, late: 0, oldest: now },
      ],
    },
  });
  const today = page.getByRole("region", { name: "Today" });
  await expect.element(today.getByRole("link").first()).toBeVisible();
  expect(
    today
      .getByRole("link")
      .elements()
      .map((link) => [link.textContent, link.getAttribute("href")]),
  ).toEqual([
    ["1 farm's report lateLate12 days", "/admin/today?line=late_reports"],
    ["3 receipts to reviewoldest 12 days", "/admin/payments"],
    ["1 unread contact messagesince today", "/admin/messages?show=unread"],
  ]);
  answers["dashboard.today"] = { now, lines: [] };
  await reload();
  await expect.element(today.getByText("Nothing waits for you.")).toBeVisible();
  answers["dashboard.today"] = noConnection;
  await reload();
  await expect.element(today.getByText("What waits could not be loaded.")).toBeVisible();
});

test("the list of a line leads to where each is worked on", async () => {
  const item = { key: "7", since: createdAt, isLate: true, title: "Ponds at Epe, report 3", projectId: 12 };
  await openScreen("/admin/today?line=late_reports", {
    ...filled,
    "dashboard.todayItems": { now: createdAt, items: [item] },
  });
  await hasHeading("Farms' reports late");
  await expect
    .element(page.getByRole("link", { name: /Ponds at Epe, report 3/ }))
    .toHaveAttribute("href", "/project-updates/12");
});

test("tells of a lost connection", async () => {
  await openScreen("/admin/dashboard", { ...filled, "dashboard.projects": noConnection });
  await hasHeading("Network Error");
  const said = page.getByRole("alert").filter({ hasText: "Network Error" });
  await expect
    .element(said.filter({ hasText: /Unable to connect to the server. Please check your connection./ }))
    .toBeVisible();
  await expect.element(said.filter({ hasText: /Unable to load projects.../ })).toBeVisible();
});

test("tells of any other failure", async () => {
  const { answers } = await openScreen("/admin/dashboard", {
    ...filled,
    "dashboard.projects": refusal("internal", 500),
  });
  await expect.element(page.getByText("Failed to load projects. Please try again.")).toBeVisible();
  answers["dashboard.projects"] = filled["dashboard.projects"];
  await press("Try again");
  await expect.element(row).toBeVisible();
});

const failures = [
  ["Clone", "clone", "not_found", "Original project not found", "Failed to clone project: Original project not found"],
  [
    "Clone",
    "clone",
    "unavailable",
    "New project was not created",
    "Failed to clone project: New project was not created",
  ],
  ["Clone", "clone", "forbidden", "Admin privileges required", "You don't have permission to clone projects"],
  ["Close", "close", "conflict", "This project is already closed.", "Failed to update project status"],
  ["Close", "close", "forbidden", "Admin privileges required", "You don't have permission to close projects"],
  ["Delete", "delete", "not_found", "Project not found", "Failed to delete project: Project not found"],
  ["Delete", "delete", "forbidden", "Admin privileges required", "You don't have permission to delete projects"],
] as const;

test.each(failures)("%s tells why it failed: %s %s", async (action, procedure, reason, message, text) => {
  await openScreen("/admin/dashboard", { ...filled, [`projects.${procedure}`]: refusal(reason, 400, message) });
  await press(`Actions for ${dashboardProject.title}`);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
  await dialog.getByRole("button", { name: action === "Delete" ? "Delete" : `${action} Project`, exact: true }).click();
  await expect.element(page.getByRole("alert").getByText(text)).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("a project that can't be deleted now says why instead of the button", async () => {
  await openScreen("/admin/dashboard", { ...filled, "projects.deletion": { refusal: projectAdminTexts.hasMoney } });
  await press(`Actions for ${dashboardProject.title}`);
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  await expect.element(dialog.getByText(projectAdminTexts.hasMoney)).toBeVisible();
  await expect.element(dialog.getByRole("button", { name: "Delete", exact: true })).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

const withRights = (...permissions: Permission[]): Answers => ({
  ...filled,
  "auth.viewer": { ...ownerViewer, permissions: ["projects:view", ...permissions] },
});

test.each([
  ["a viewer", [], null],
  ["a manager", ["projects:create", "projects:edit", "projects:close"], ["View project", "Edit", "Close", "Clone"]],
  [
    "an owner",
    ["projects:create", "projects:edit", "projects:close", "projects:delete"],
    ["View project", "Edit", "Close", "Clone", "Delete"],
  ],
] as const)("%s is offered what the role may do", async (_, rights, actions) => {
  await openScreen("/admin/dashboard", withRights(...rights));
  await expect.element(row).toBeVisible();
  expect(
    page
      .getByRole("columnheader")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([...["Title", "Category", "Creator", "Backer", "Goal", "Current", "Actions"]]);
  const hasActions = actions !== null;
  expect(page.getByRole("link", { name: "Create New Project" }).elements()).toHaveLength(hasActions ? 1 : 0);
  const title = page.getByRole("link", { name: dashboardProject.title, exact: true });
  expect(title.elements()).toHaveLength(hasActions ? 1 : 0);
  if (!hasActions) {
    await expect.element(page.getByRole("link", { name: `View project: ${dashboardProject.title}` })).toBeVisible();
    return;
  }
  await expect.element(title).toHaveAttribute("href", "/project-updates/1");
  await press(`Actions for ${dashboardProject.title}`);
  await expect.element(page.getByRole("menuitem").first()).toBeVisible();
  expect(
    page
      .getByRole("menuitem")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(actions);
});

test("the money is for whoever may see payments, and stands as a table too", async () => {
  const { answers, reload } = await openScreen("/admin/dashboard", withRights());
  await expect.element(page.getByText("Open projects")).toBeVisible();
  await expect.element(page.getByText("Pending review")).not.toBeInTheDocument();
  answers["auth.viewer"] = withRights("payments:view")["auth.viewer"];
  const weeks = Array.from({ length: 12 }, (_, index) => ({
    startsAt: new Date(createdAt.getTime() + index * 7 * 86_400_000),
    count: 0,
    kobo: 0n,
  }));
  answers["dashboard.money"] = { ...noMoney, weeks };
  await reload();
  await expect.element(page.getByText("Pending review")).toBeVisible();
  await expect.element(page.getByText("Approved this month")).toBeVisible();
  await page.getByText("As a table").click();
  const table = page.getByRole("table", { name: "Money approved by week" });
  await expect.poll(() => table.getByRole("row").elements()).toHaveLength(13);
});

const questions = [
  [
    false,
    "Close",
    'Close "Ponds at Epe" to new backers?',
    "Its backers are told by email.",
    "Project closed successfully",
  ],
  [
    true,
    "Reopen",
    'Ponds at Epe" was sold: a payment for it is approved. Offer it again?',
    "Whoever paid stays its backer.",
    "Project reopened successfully",
  ],
  [
    false,
    "Delete",
    'Are you sure you want to delete "Ponds at Epe"? This action cannot be undone.',
    null,
    "Project deleted successfully",
  ],
] as const;

test.each(questions)("closed %s: %s asks first: %s", async (isClosed, action, question, more, done) => {
  const sold = isClosed ? { isClosed, currentFundingKobo: dashboardProject.fundingGoalKobo } : {};
  const { calls } = await openScreen("/admin/dashboard", {
    ...filled,
    "dashboard.projects": { items: [{ ...dashboardProject, ...sold }], nextCursor: null },
    "projects.close": undefined,
    "projects.reopen": undefined,
    "projects.delete": undefined,
  });
  const open = async () => {
    await press(`Actions for ${dashboardProject.title}`);
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };
  await open();
  await expect.element(page.getByRole("dialog", { name: `${action} Project` })).toBeVisible();
  await expect.element(dialog.getByText(question, { exact: false })).toBeVisible();
  if (more) await expect.element(dialog.getByText(more, { exact: false })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: `Actions for ${dashboardProject.title}` })).toHaveFocus();
  expect(calls.filter((call) => /^projects\.(close|reopen|delete)$/.test(call))).toEqual([]);
  await open();
  await dialog.getByRole("button", { name: action === "Delete" ? "Delete" : `${action} Project`, exact: true }).click();
  await tells(done);
});

test("a search and an order are asked of the server, and kept in the address", async () => {
  const { sentTo } = await openScreen("/admin/dashboard?sort=status", {
    ...filled,
    "dashboard.projects": (input) => {
      return { items: input.search ? [] : [dashboardProject], nextCursor: null };
    },
  });
  const sort = page.getByLabelText("Sort by");
  await expect.element(sort).toHaveValue("status");
  const orders = [...sort.element().querySelectorAll("option")].map(({ textContent }) => textContent);
  expect(orders).toEqual(["Sort by Title", "Status", "Backer"]);
  await sort.selectOptions("backer");
  await page.getByPlaceholder("Search by title or backer...").fill("no such farm");
  await expect.element(page.getByText("No projects found matching your search")).toBeVisible();
  expect(sentTo("dashboard.projects").at(-1)).toMatchObject({ search: "no such farm", sort: "backer" });
});

test("owners, and nobody else, read what the self-check found", async () => {
  const alarm = { violation: "number of backers is not that of the backings", count: 1, since: createdAt };
  const { answers, reload } = await openScreen("/admin/today?line=alarms", { ...filled, "alarms.list": [alarm] });
  await expect.element(page.getByText("The self-check found what must not be")).toBeVisible();
  await expect.element(page.getByText(`${alarm.violation}: 1 row, since`, { exact: false })).toBeVisible();
  answers["auth.viewer"] = withRights("projects:edit")["auth.viewer"];
  await reload();
  await hasHeading("Findings of the self-check");
  await expect.element(page.getByText(alarm.violation, { exact: false })).not.toBeInTheDocument();
});

const edits = [
  ["a server that fails", refusal("internal", 500), /^Failed to fetch project details: /],
  ["no connection", noConnection, "Failed to load project. Please try again."],
  ["a project that is gone", refusal("not_found", 404), "Project not found"],
] as const;

test.each(edits)("editing leads back here at %s", async (_, answer, text) => {
  const { path } = await openScreen("/edit-project/1", { ...filled, "projects.forEdit": answer });
  await expect.element(page.getByRole("alert").getByText(text)).toBeVisible();
  await expect.poll(path).toBe("/admin/dashboard");
});
