import { z } from "zod";
import { projectForm } from "./inputs.ts";
import { termsForm } from "./terms.ts";

/**
 * A new project, together with the harvest terms that its first round is sold by. The key is generated once per content of
 * the wizard, and kept for a retry after a lost response.
 */
export const createProjectInput = projectForm.safeExtend({ terms: termsForm, idempotencyKey: z.uuid() });
