import { z } from "zod";
import { grants, roles } from "#shared/permissions.ts";

/** A person by the id of the account. */
export const userIdInput = z.object({ userId: z.uuid().toLowerCase() });

export const roleInput = userIdInput.extend({ role: z.enum(roles) });

export const grantInput = userIdInput.extend({ grant: z.enum(grants) });
