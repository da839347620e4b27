import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
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
} from "#tests/support/app-screen.ts";
import { dashboardProject } from "#tests/support/screen-samples.ts";

/** The administrators' dashboard, where the server isn't reached or refuses. */

const filled: Answers = {
  ...owner,
  "secondPerson.list": { requests: [] },
  "dashboard.projects": { items: [dashboardProject], nextCursor: null },
};
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
