import { z } from "zod";
import { emailFieldSaying, fullNameField, newPasswordField, plainAddress } from "#shared/accounts/inputs.ts";
import { rowId } from "#shared/ids.ts";
import { roles } from "#shared/permissions.ts";
import { shortText } from "#shared/short-text.ts";
import { inviteTexts } from "./team-texts.ts";

const filledIn = (text: string) => shortText(text).min(1, text);

export const inviteInput = z.object({
  email: emailFieldSaying(inviteTexts.emailInvalid),
  fullName: shortText(inviteTexts.nameTooShort).min(2, inviteTexts.nameTooShort).pipe(fullNameField),
  role: z.enum(roles, inviteTexts.roleInvalid).default("manager"),
});
export type InviteInput = z.output<typeof inviteInput>;

/** A new link for an open invitation. The given name replaces the previous one. */
export const resendInviteInput = z.object({
  email: plainAddress(inviteTexts.emailInvalid, inviteTexts.incomplete)
    .min(1, inviteTexts.incomplete)
    .pipe(emailFieldSaying(inviteTexts.emailInvalid)),
  fullName: filledIn(inviteTexts.incomplete).pipe(inviteInput.shape.fullName),
});

export const inviteIdInput = z.object({ inviteId: rowId });

/** A link's token, and the role in its query, which only pre-fills the form. An unknown role is logged. */
export const inviteTokenInput = z.object({ token: z.string().max(200), linkRole: z.string().max(200).optional() });

export const acceptInviteInput = z.object({
  token: z.string().max(200),
  fullName: filledIn(inviteTexts.missing).pipe(fullNameField),
  password: newPasswordField,
});
export const acceptInviteSignedInInput = z.object({ token: z.string().max(200) });
