import type { ApplicantStatus } from "./applicant-statuses.ts";

/** Texts of job applications. No schema is here, because pages that only show texts don't need one. */

export const applicationLimits = {
  nameMin: 2,
  phone: { min: 10, max: 30 },
  coverLetterMax: 5000,
} as const;

export const careerTexts = {
  nameRequired: "Full name is required",
  emailInvalid: "Valid email is required",
  phoneInvalid: "Valid phone number is required",
  positionMissing: "Please select a position",
  coverLetterTooLong: "Cover letter cannot exceed 5000 characters",
  iAmHuman: "I am a human",
  confirmHuman: "Please confirm you are a human",
  answerMissing: "Please answer the math question",
  wrongAnswer: "Incorrect answer, please try again",
  submittedTitle: "Application Submitted",
  submitted: "Thank you for your interest! We'll review your application and contact you soon.",
  failedTitle: "Submission Failed",
  failed: "There was an error submitting your application. Please try again.",
} as const;

/** The upload address of applications. */
export const applicationPath = "/uploads/applications";

/** Job applicants in the administrators' area. */

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
