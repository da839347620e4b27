import type { FarmRole } from "./texts.ts";

/** Texts for a farm's people and their invitations. No schema is here. */

export const farmPeopleTexts = {
  notOfFarm: "This is for the people of a farm.",
  otherFarm: "You don't work for this project's farm.",
  roleMissing: "Choose what the person does",
  worksAlready: "This person works for the farm already. Change what they do instead.",
  sameRole: "The person does that already.",
  personGone: "This person doesn't work for the farm any more.",
  farmClosed: "This farm is closed. Reopen it first.",
  confirmFirst: "Confirm this address first. We have mailed you a link.",
  invitationFailed: "The invitation could not be accepted",
} as const;

/** A summary of each role, for whoever gives it and whoever is given it. */
export const farmRoleSummaries: Record<FarmRole, string> = {
  reporter: "Sends the farm's reports and photos, and sees how many backers asked for one.",
  keeper:
    "Does what a reporter does. Also drafts harvests, enters costs, hands produce over by code, and sees what money went to the farm.",
};

export const farmRoleInWords: Record<FarmRole, string> = { reporter: "a reporter", keeper: "a keeper" };
