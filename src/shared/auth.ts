import { z } from "zod";
import { accountTexts } from "#shared/account-texts.ts";
import { passwordFault, passwordLimits } from "#shared/password.ts";

export const signInLimits = {
  /** Failures after which an (account, device) pair is locked, and for how long. */
  maxFailures: 5,
  lockSeconds: 180,
  /** More failures than this show the warning. */
  warnAfterFailures: 2,
  /** Failures of all unknown devices together on one account. */
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
  /** What the server refuses with at the administrators' doors, and what the person reads there. */
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
 * What stands where an address belongs, trimmed and lower-cased as accounts keep it. Trimming drops a no-break space and
 * lower-casing makes a k of a Kelvin sign, so anything but plain ASCII is refused before: it would become somebody
 * else's address. `text` is said of it; `missing` where there is nothing at all.
 */
export const plainAddress = (text: string, missing = text) =>
  z
    .string(missing)
    .regex(/^\p{ASCII}*$/u, { error: text, abort: true })
    .trim()
    .toLowerCase();

/** An address of an account; `text` is what is said of anything else. */
export const emailFieldSaying = (text: string) => plainAddress(text).max(255, text).pipe(z.email(text));

export const emailField = emailFieldSaying(authTexts.emailInvalid);

export const fullNameField = z
  .string(authTexts.fullNameRequired)
  .trim()
  .min(1, authTexts.fullNameRequired)
  .max(200, authTexts.fullNameTooLong)
  .regex(noControlCharacters, authTexts.fullNameRequired);

/** A new password, by the sign-up rule. */
export const newPasswordField = z.string(authTexts.required).check((ctx) => {
  const fault = passwordFault(ctx.value);
  if (fault) ctx.issues.push({ code: "custom", message: fault, input: ctx.value });
});

/** What the person fills in; the page adds the form token. */
export const signUpForm = z.object({
  fullName: fullNameField,
  email: emailField,
  password: newPasswordField,
  acceptTerms: z.literal(true, authTexts.termsRequired),
});

export const signUpInput = signUpForm.extend({ formToken: z.string().max(200) });

/** No sign-up rule here: what is wrong with an address or password is only that no account has it. */
export const signInInput = z.object({
  email: plainAddress(authTexts.wrongCredentials, authTexts.required)
    .min(1, authTexts.required)
    .max(255, authTexts.wrongCredentials)
    .regex(noControlCharacters, authTexts.wrongCredentials),
  password: z.string(authTexts.required).min(1, authTexts.required).max(passwordLimits.max, authTexts.wrongCredentials),
});
export type SignInInput = z.infer<typeof signInInput>;

/** Final when the person leaves; not when the session ran out or another account is to be signed in to. */
export const signOutInput = z.object({ isFinal: z.boolean().default(false) }).default({ isFinal: false });

/** An address that a link is asked for. */
export const requestPasswordResetInput = z.object({ email: emailField });

/** The reset pages ask for the specification's six characters first, then for the sign-up rule. */
const resetPasswordField = z.string(authTexts.resetTooShort).check((ctx) => {
  const fault = ctx.value.length < resetMinLength ? authTexts.resetTooShort : passwordFault(ctx.value);
  if (fault) ctx.issues.push({ code: "custom", message: fault, input: ctx.value });
});

export const resetPasswordForm = z
  .object({ password: resetPasswordField, confirmPassword: z.string(authTexts.resetMismatch) })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ["confirmPassword"],
    message: authTexts.resetMismatch,
    // Said beside a password that is refused for itself, too.
    when: () => true,
  });

/** The token of a mailed link. */
const linkTokenInput = z.object({ token: z.string().max(200) });

/** The password of an account that one isn't signed in to, and that isn't signed in to by it. */
export const accountPassword = z
  .string(authTexts.linkPasswordMissing)
  .min(1, authTexts.linkPasswordMissing)
  .max(passwordLimits.max, authTexts.linkPasswordWrong);

/** Links that confirm an address: of a new account, or a new one of an account. */
const confirmingPurposes = ["confirm_email", "change_email"] as const;
export type ConfirmingPurpose = (typeof confirmingPurposes)[number];
export const mailedLinkInput = linkTokenInput.extend({ purpose: z.enum(confirmingPurposes) });

/** The account's password is asked for where the browser isn't signed in to the account. */
export const confirmLinkInput = linkTokenInput.extend({
  password: accountPassword.optional(),
});

/** Another address for an account whose own one nobody has confirmed yet. */
export const correctSignUpInput = z.object({
  email: emailField,
  newEmail: emailField,
  password: accountPassword,
});
export const resendConfirmationInput = z.object({ email: emailField });
export const resetPasswordInput = linkTokenInput.extend({ password: resetPasswordField });
