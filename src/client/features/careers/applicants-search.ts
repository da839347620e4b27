import { readPositiveInt } from "#client/lib/addresses.ts";
import { type ApplicantStatus, applicantStatuses } from "#shared/careers/applicant-statuses.ts";

/** The search parameters of /admin/applicants: the filter, and the opened application. */
export type ApplicantsSearch = { status?: ApplicantStatus | undefined; open?: number | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readApplicantsSearch(input: Record<string, unknown>): ApplicantsSearch {
  return { status: applicantStatuses.find((status) => status === input.status), open: readPositiveInt(input.open) };
}
