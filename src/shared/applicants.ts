import { z } from "zod";
import { applicantStatuses } from "#shared/applicant-statuses.ts";
import { cursor } from "#shared/pagination.ts";

/** Job applicants in the administrators' area: inputs of both sides. */

const applicationId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const applicationIdInput = z.object({ applicationId });
export const listApplicantsInput = z.object({ status: z.enum(applicantStatuses).nullish(), cursor });
export const setApplicantStatusInput = z.object({ applicationId, status: z.enum(applicantStatuses) });
