import { z } from "zod";
import { shortText } from "#shared/short-text.ts";
import { ownPath, ownPathMax } from "./own-path.ts";
import { passwordFault, passwordLimits } from "./password.ts";
import { accountTexts } from "./texts.ts";

export const signInLimits = {
  /** The failures that lock an (account, device) pair, and the duration of the lock. */
  maxFailures: 5,
  lockSeconds: 180,
  /** Above this number the warning is shown. */
  warnAfterFailures: 2,
  /** The failures of all unknown devices together on one account. */
  unknownDevicesPerHour: 50,
  addressFailures: 100,
  addressWindowSeconds: 600,
} as const;

export const formTokenSeconds = 3600;
export const confirmLinkHours = 24;
export const resetLinkMinutes = 60;
const resetMinLength = 6;

export const authTexts = {
  required: "Email and password are required",
  emailMissing: "Enter your email",
  passwordMissing: "Enter your password",
  fullNameRequired: "Full name is required",
  fullNameTooLong: "Full name cannot exceed 200 characters",
  emailInvalid: "Valid email is required",
  termsRequired: "You must agree to the terms of service",
  formExpired: "Form submission failed. Please refresh the page and try again.",
  emailTaken: "An account with this email already exists.",
  signInNow: "You can sign in now.",
  checkEmail: "Please check your email to confirm your account.",
  wrongCredentials: "Invalid email or password. Please check your credentials and try again.",
  wrongAdminCredentials: "Invalid email or password. Please check your credentials.",
  blocked: accountTexts.blocked,
  /** The server's refusal at the administrators' sign-in, and the text shown for it. */
  notAdmin: "User does not have admin privileges",
  noAdminAccess: "You do not have admin access to this application.",
  lockedTitle: "Rate Limited",
  locked: "Too many failed attempts. Try again later.",
  nowLocked: "Too many failed login attempts. Please wait 3 minutes before trying again.",
  lockBanner: "Account temporarily locked",
  multipleFailures: "Multiple failed attempts. Please check your credentials.",
  adminSignedIn: "Logged in as admin",
  adminUnknown: "Invalid credentials",
  signUpFailed: "Failed to sign up. Please try again.",
  accountFailed: "Failed to create account. Please try again.",
  adminNetwork: "Network error. Please check your connection and try again.",
  googleNotConfigured: "Google sign-in is not available yet on this site.",
  confirmationInvalid: "This confirmation link is invalid or has expired. Please request a new one.",
  resetInvalid: "The password reset link is invalid or has expired. Please request a new one.",
  resetInvalidTitle: "Invalid or expired password reset link",
  resetTooShort: "Password must be at least 6 characters",
  resetMismatch: "Passwords don't match",
  resetRequestFailed: "Failed to send reset link",
  resetFailed: "Failed to reset password",
  resetDoneTitle: "Password updated",
  resetDone: "Your password has been successfully reset.",
  linkPasswordMissing: "Enter the password of the account.",
  linkPasswordWrong: "This is not the password of that account.",
  linkSignInFirst: "Please sign in to the account first. Then open the link in the mail again.",
  correctionSame: "This is the address that you have given.",
  correctionLate: "This address is confirmed already. Sign in, and change it in your account.",
  confirmationResent: "If this address has an account that waits for confirmation, we have sent a new link.",
} as const;

const noControlCharacters = /^[^\p{C}]*$/u;

/**
 * An email address, trimmed and lower-cased as accounts store it. Trimming removes a no-break space and lower-casing
 * turns a Kelvin sign into k, which would make it another person's address. So anything but plain ASCII is refused
 * first, also what other short fields drop when it is pasted unseen.
 * `text` is the error, and `missing` the one for an absent value.
 */
export const plainAddress = (text: string, missing = text) =>
  z
    .string(missing)
    .regex(/^\p{ASCII}*$/u, { error: text, abort: true })
    .trim()
    .toLowerCase();

/** An account's address; `text` is the error for anything else. */
export const emailFieldSaying = (text: string) => plainAddress(text).max(255, text).pipe(z.email(text));

export const emailField = emailFieldSaying(authTexts.emailInvalid);

export const fullNameField = shortText(authTexts.fullNameRequired)
  .min(1, authTexts.fullNameRequired)
  .max(200, authTexts.fullNameTooLong)
  .regex(noControlCharacters, authTexts.fullNameRequired);

/** A new password, by the sign-up rule. */
export const newPasswordField = z.string(authTexts.required).check((ctx) => {
  const fault = passwordFault(ctx.value);
  if (fault) ctx.issues.push({ code: "custom", message: fault, input: ctx.value });
});

/** The fields that the person fills in; the page adds the form token. */
export const signUpForm = z.object({
  fullName: fullNameField,
  email: emailField,
  password: newPasswordField,
  acceptTerms: z.literal(true, authTexts.termsRequired),
});

/** Where a new account was going: a path of ours, or nothing. */
const nextField = z
  .string()
  .max(ownPathMax)
  .optional()
  .transform((next) => ownPath(next) ?? undefined);

export const signUpInput = signUpForm.extend({ formToken: z.string().max(200), next: nextField });

/** The sign-up rule doesn't apply: any invalid address or password just belongs to no account. */
export const signInInput = z.object({
  email: plainAddress(authTexts.wrongCredentials, authTexts.required)
    .min(1, authTexts.required)
    .max(255, authTexts.wrongCredentials)
    .regex(noControlCharacters, authTexts.wrongCredentials),
  password: z.string(authTexts.required).min(1, authTexts.required).max(passwordLimits.max, authTexts.wrongCredentials),
});
export type SignInInput = z.infer<typeof signInInput>;

/** Final if the person signs out; not if the session expired or another account follows. */
export const signOutInput = z.object({ isFinal: z.boolean().default(false) }).default({ isFinal: false });

/** The address that requests a link. */
export const requestPasswordResetInput = z.object({ email: emailField });

/** The reset pages check the specification's six characters first, then the sign-up rule. */
const resetPasswordField = z.string(authTexts.resetTooShort).check((ctx) => {
  const fault = ctx.value.length < resetMinLength ? authTexts.resetTooShort : passwordFault(ctx.value);
  if (fault) ctx.issues.push({ code: "custom", message: fault, input: ctx.value });
});

export const resetPasswordForm = z
  .object({ password: resetPasswordField, confirmPassword: z.string(authTexts.resetMismatch) })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ["confirmPassword"],
    message: authTexts.resetMismatch,
    // Shown even if the password itself is refused.
    when: () => true,
  });

/** The token of a mailed link. */
const linkTokenInput = z.object({ token: z.string().max(200) });

/** The password of an account that the person isn't signed in to, for a proof without a sign-in. */
export const accountPassword = z
  .string(authTexts.linkPasswordMissing)
  .min(1, authTexts.linkPasswordMissing)
  .max(passwordLimits.max, authTexts.linkPasswordWrong);

/** Links that confirm the address of a new account, or an account's new address. */
const confirmingPurposes = ["confirm_email", "change_email"] as const;
export type ConfirmingPurpose = (typeof confirmingPurposes)[number];
export const mailedLinkInput = linkTokenInput.extend({ purpose: z.enum(confirmingPurposes) });

/** The password is required if the browser isn't signed in to the account. */
export const confirmLinkInput = linkTokenInput.extend({
  password: accountPassword.optional(),
});

/** Another address for an account whose address isn't confirmed yet. */
export const correctSignUpInput = z.object({
  email: emailField,
  newEmail: emailField,
  password: accountPassword,
  next: nextField,
});
export const resendConfirmationInput = z.object({ email: emailField, next: nextField });
export const resetPasswordInput = linkTokenInput.extend({ password: resetPasswordField });
