import { z } from "zod";
import { reportPlanForm } from "#shared/reports/inputs.ts";
import { projectForm } from "./inputs.ts";
import { termsForm } from "./terms.ts";

/**
 * A new project, together with the harvest terms that its first round is sold by and what its farm promises to report.
 * Without a plan the farm reports each week what it spent. The key is generated once per content of the wizard, and
 * kept for a retry after a lost response.
 */
export const createProjectInput = projectForm.safeExtend({
  terms: termsForm,
  reportPlan: reportPlanForm.optional(),
  idempotencyKey: z.uuid(),
});
