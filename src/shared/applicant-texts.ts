import type { ApplicantStatus } from "#shared/applicant-statuses.ts";

/** Job applicants in the administrators' area. No schema is here, as in career-texts.ts. */

export const applicantsPageSize = 30;

export const applicantTexts = {
  fetchFailed: "Could not fetch applicants data",
  updateFailed: "Could not update applicant status",
  gone: "This application no longer exists.",
  noResume: "No resume was sent with this application",
  resumeUnavailable: "Could not access the resume",
  linkExpired: "This link has expired. Please download the resume again.",
  downloadFailed: "Could not download the resume",
} as const;

export const applicantStatusChanged = (status: ApplicantStatus) => `Applicant status changed to ${status}`;
