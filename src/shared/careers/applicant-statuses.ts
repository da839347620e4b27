/** An application's statuses. Separate from the texts, because the first load parses the applicants page's address. */
export const applicantStatuses = ["new", "reviewed", "contacted", "rejected"] as const;
export type ApplicantStatus = (typeof applicantStatuses)[number];
export const applicantStatusLabels: Record<ApplicantStatus, string> = {
  new: "New",
  reviewed: "Reviewed",
  contacted: "Contacted",
  rejected: "Rejected",
};
