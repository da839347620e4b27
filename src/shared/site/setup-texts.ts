import {
  holdHoursKey,
  type NumberSettingKey,
  platformFeeKey,
  refundDaysKey,
  reviewDaysKey,
} from "#shared/settings/texts.ts";

/** Texts and limits of the set-up: the page /setup of a site without an owner, and what comes after it. */

export const setupLimits = {
  /** Wrong codes an hour: from one network, and from everywhere. */
  triesOfNetwork: 10,
  tries: 50,
  /** Codes that one owner has mailed in an hour, and wrong ones that they may enter. */
  mailCodes: 5,
  mailTries: 10,
  /** For how long a mailed code can be entered. */
  mailCodeHours: 24,
} as const;

export const setupSteps = ["you", "company", "look", "bank", "mail", "texts", "rules", "second_owner"] as const;
export type SetupStep = (typeof setupSteps)[number];

/** The settings that an owner decides on, or keeps as they are. */
export const setupRules = [
  platformFeeKey,
  holdHoursKey,
  refundDaysKey,
  reviewDaysKey,
] as const satisfies readonly NumberSettingKey[];

/** How the dashboard names what is left to do. */
export const setupStepNames: Record<SetupStep, string> = {
  you: "you",
  company: "company",
  look: "look",
  bank: "bank account",
  mail: "mail",
  texts: "texts",
  rules: "rules",
  second_owner: "second owner",
};

/** "5 of 8 done: mail, texts, second owner". */
export function setupProgress(steps: readonly { step: SetupStep; isDone: boolean }[]): string {
  const open = steps.filter(({ isDone }) => !isDone);
  const done = `${steps.length - open.length} of ${steps.length} done`;
  return open.length === 0 ? done : `${done}: ${open.map(({ step }) => setupStepNames[step]).join(", ")}`;
}

export const setupTexts = {
  codeMissing: "Enter the code from the server's log",
  codeWrong: "This is not a code of this server. Each start of the server writes a new one into its log.",
  mailKept: "This server has no mail server, so no code can be sent.",
  mailCodeMissing: "Enter the code from the mail",
  mailCodeWrong:
    "This is not the code of a mail of the last 24 hours. Look at the newest mail, or have another one sent.",
  mailProven: "Mails leave this server",
  mailSent: "The code is on its way",
} as const;
