/** What a farm's people and their invitations read. No schema is here. */

export const farmPeopleTexts = {
  notOfFarm: "This is for the people of a farm.",
  otherFarm: "You don't work for this project's farm.",
} as const;
