/** Separate from the schemas, for pages that only show texts. */
export const googleTexts = {
  signInFailed: "Failed to sign in with Google",
  signUpFailed: "Failed to sign up with Google",
  linkFailed: "Failed to link Google",
  cancelled: "Sign-in with Google was cancelled.",
  emailUnverified:
    "Google has not confirmed that this email address is yours. Please confirm it with Google first, or use your email and a password here.",
  addressUnusable:
    "Your Google account has an email address that can't be used here. Please use another Google account, or an email and a password.",
  accountUnverified:
    "There is already an account with this email address, but the address was never confirmed. Please sign in with your password and confirm it first. If you don't know the password, reset it.",
  linkStepOver: "That took too long, or your account has changed since. Please continue with Google again.",
  dropRefused:
    "This account has two-factor sign-in, so its password can't be removed here. Enter the password, or reset it by mail.",
  confirmFirst: "Please confirm your email address before you link Google.",
  linkedElsewhere: "This Google account is already linked to another account here.",
  otherLinked: "Your account is already linked to another Google account. Please unlink that one first.",
  passwordFirst: "Google is your only way to sign in. Please set a password before you unlink it.",
} as const;

/** How long a sign-in with Google waits for the password of the account to link. */
export const googleLinkSeconds = 600;

/** The fault that a failed start puts in the fragment of the page it returns to: `#google=failed`. */
export type GoogleFault = "failed" | "limited";
