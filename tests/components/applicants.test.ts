import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { applicantTexts } from "#shared/careers/texts.ts";
import { type Answers, hasHeading, openScreen, owner, press, refusal, serverFault } from "#tests/support/app-screen.ts";
import { applicant } from "#tests/support/screen-samples.ts";

/** Applications, where the server fails. */

const detail = page.getByRole("region", { name: "Applicant" });
const says = (text: string) => expect.element(page.getByText(text)).toBeVisible();
const { email: _, phone: __, coverLetter: ___, resume: ____, ...listed } = applicant;
const filled: Answers = {
  ...owner,
  "careers.applicants": { items: [listed], nextCursor: null },
  "careers.applicantCounts": { all: 1, new: 1, reviewed: 0, contacted: 0, rejected: 0 },
  "careers.applicant": applicant,
};

test("say what could not be loaded or changed, and do it on demand", async () => {
  const { answers, calls } = await openScreen("/admin/applicants", {
    ...filled,
    "careers.applicants": serverFault,
    "careers.setApplicantStatus": serverFault,
  });
  await hasHeading("Could not fetch applicants data");
  answers["careers.applicants"] = filled["careers.applicants"];
  await press("Try again");
  await page.getByRole("main").getByRole("list").getByRole("link").click();
  await detail.getByRole("button", { name: "Contacted" }).click();
  await says("Could not update applicant status");
  await expect.element(detail.getByRole("button", { name: "New" })).toHaveAttribute("aria-pressed", "true");

  // A second click while one runs is ignored.
  const changed = Promise.withResolvers<{ applicationId: number; status: "contacted" }>();
  answers["careers.setApplicantStatus"] = () => changed.promise;
  const before = calls.filter((call) => call === "careers.setApplicantStatus").length;
  await detail.getByRole("button", { name: "Contacted" }).click();
  await detail.getByRole("button", { name: "Rejected" }).click({ force: true });
  answers["careers.applicant"] = { ...applicant, status: "contacted" };
  changed.resolve({ applicationId: applicant.id, status: "contacted" });
  await says("Applicant status changed to contacted");
  await expect.element(detail.getByRole("button", { name: "Contacted" })).toHaveAttribute("aria-pressed", "true");
  expect(calls.filter((call) => call === "careers.setApplicantStatus")).toHaveLength(before + 1);
});

test("a resume that can't be downloaded is told of, and none was sent where there is none", async () => {
  const withResume = { ...applicant, resume: { originalName: "Ada.pdf", bytes: 9 } };
  const { answers, reload } = await openScreen(
    "/admin/applicants?open=1",
    {
      ...filled,
      "careers.applicant": withResume,
      "careers.resumeLink": { url: "/files/resumes/1", originalName: "Ada.pdf", expiresAt: new Date("2099-01-01") },
    },
    { "/files/resumes/1": () => new Response("", { status: 404 }) },
  );
  await press("Download resume");
  await says("Could not download the resume");
  answers["careers.applicant"] = applicant;
  await reload();
  await says("No resume was sent.");
});

test("that are gone are said to be so", async () => {
  await openScreen("/admin/applicants?open=999999", {
    ...filled,
    "careers.applicant": refusal("not_found", 404, applicantTexts.gone),
  });
  await says(applicantTexts.gone);
});

test("of an unknown filter are all", async () => {
  await openScreen("/admin/applicants?status=hired&open=x", filled);
  const filters = page.getByRole("link", { name: /^All/ });
  await expect.element(filters).toHaveAttribute("aria-current", "page");
  await says("Choose an applicant to read the application.");
});
