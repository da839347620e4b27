import { z } from "zod";
import { emailField, fullNameField, newPasswordField } from "#shared/auth.ts";
import { roles } from "#shared/permissions.ts";

/** An administrator made at the command line. */
export const createAdminInput = z.object({
  email: emailField,
  fullName: fullNameField,
  role: z.enum(roles, "The role must be owner, manager or viewer"),
  password: newPasswordField,
});
