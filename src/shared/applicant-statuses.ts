/** What an application can be. Apart from the texts: the address of the applicants' page is read in the first load. */
export const applicantStatuses = ["new", "reviewed", "contacted", "rejected"] as const;
export type ApplicantStatus = (typeof applicantStatuses)[number];
export const applicantStatusLabels: Record<ApplicantStatus, string> = {
  new: "New",
  reviewed: "Reviewed",
  contacted: "Contacted",
  rejected: "Rejected",
};
