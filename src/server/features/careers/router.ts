import { adminProcedure, router } from "#server/platform/procedures.ts";
import { applicationIdInput, listApplicantsInput, setApplicantStatusInput } from "#shared/careers/inputs.ts";
import { countApplicants, findResumeLink, getApplicant, listApplicants } from "./queries.ts";
import { setApplicantStatus } from "./service.ts";

/** For administrators. Applications arrive by POST /uploads/applications. */
export const careersRouter = router({
  applicants: adminProcedure("users:manage")
    .input(listApplicantsInput)
    .query(({ ctx, input }) => listApplicants(ctx, input)),
  applicantCounts: adminProcedure("users:manage").query(({ ctx }) => countApplicants(ctx)),
  applicant: adminProcedure("users:manage")
    .input(applicationIdInput)
    .query(({ ctx, input }) => getApplicant(ctx, input)),
  setApplicantStatus: adminProcedure("users:manage")
    .input(setApplicantStatusInput)
    .mutation(({ ctx, input }) => setApplicantStatus(ctx, input)),
  resumeLink: adminProcedure("users:manage")
    .input(applicationIdInput)
    .query(({ ctx, input }) => findResumeLink(ctx, input)),
});
