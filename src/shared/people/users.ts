import { z } from "zod";
import { emailField, fullNameField, newPasswordField } from "#shared/accounts/inputs.ts";
import { cursor } from "#shared/pagination.ts";
import { roles } from "#shared/permissions.ts";
import { shortText } from "#shared/short-text.ts";
import { userIdInput } from "./inputs.ts";

/** An administrator created on the command line. */
export const createAdminInput = z.object({
  email: emailField,
  fullName: fullNameField,
  role: z.enum(roles, "The role must be owner, manager or viewer"),
  password: newPasswordField,
});

export const listUsersInput = z.object({ search: shortText().max(100).default(""), cursor });
export const backedProjectsInput = userIdInput.extend({ cursor });

/** The text typed into a picker of people. */
export const searchForPickerInput = z.object({ search: shortText().max(100).default("") });
