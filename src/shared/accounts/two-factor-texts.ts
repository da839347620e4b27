import { secondFactorRequired } from "./sessions.ts";

/** The time limit between the first proof (password, Google, invitation) and the code. */
export const secondStepSeconds = 300;

/** Separate from the schemas, so that pages that only show texts don't load them. */
export const twoFactorTexts = {
  codeMissing: "Enter the code",
  codeInvalid: "Valid code is required",
  codeWrong: "Invalid code. Please check it and try again.",
  stepOver: "This sign-in took too long or was already used. Please sign in again.",
  unreadable: "Your second factor can't be read. Please ask whoever runs the server to reset it.",
  copyFirst: "What you typed is still on this page. Copy what you want to keep before you go on.",
  required: secondFactorRequired.refusal,
  alreadyOn: "Two-factor sign-in is already on.",
  notOn: "Two-factor sign-in is not on.",
  startFirst: "Please start the setup again.",
  mandatory: "Two-factor sign-in is required for administrators and can't be switched off.",
} as const;
