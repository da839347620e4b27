/** Where farms are and who works for them. No schema is here. */

/** The 36 states of Nigeria and the Federal Capital Territory, as people write them. */
export const nigerianStates = [
  "Abia",
  "Adamawa",
  "Akwa Ibom",
  "Anambra",
  "Bauchi",
  "Bayelsa",
  "Benue",
  "Borno",
  "Cross River",
  "Delta",
  "Ebonyi",
  "Edo",
  "Ekiti",
  "Enugu",
  "FCT",
  "Gombe",
  "Imo",
  "Jigawa",
  "Kaduna",
  "Kano",
  "Katsina",
  "Kebbi",
  "Kogi",
  "Kwara",
  "Lagos",
  "Nasarawa",
  "Niger",
  "Ogun",
  "Ondo",
  "Osun",
  "Oyo",
  "Plateau",
  "Rivers",
  "Sokoto",
  "Taraba",
  "Yobe",
  "Zamfara",
] as const;

/**
 * A reporter sends reports and photos. A keeper also drafts harvests, enters costs, hands produce over and sees what went to
 * the farm. Neither is an administrator.
 */
export const farmRoles = ["reporter", "keeper"] as const;
export type FarmRole = (typeof farmRoles)[number];

/** The rights of a role: `report` is reports and their photos, `keep` everything else that a keeper does. */
export const farmRights = ["report", "keep"] as const;
export type FarmRight = (typeof farmRights)[number];
export const farmRightsOf: Record<FarmRole, readonly FarmRight[]> = { reporter: ["report"], keeper: farmRights };
export const farmRoleLabels: Record<FarmRole, string> = { reporter: "Reporter", keeper: "Keeper" };

export const farmLimits = {
  name: { min: 2, max: 80 },
  place: 100,
  story: 2000,
  registration: 60,
  visitedBy: 80,
  visitNote: 500,
  since: { min: 1900, max: 2100 },
  pageSize: 50,
  /** Farms that one choice offers; more letters narrow them down. */
  picked: 20,
  /** On its public page. */
  running: 12,
  newestReports: 5,
  /** Rows of a list on a farm's page. */
  listed: 200,
} as const;

export const farmTexts = {
  name: "The name has 2 to 80 letters",
  nameTaken: "This name stands for projects that no farm runs. Use another one.",
  state: "Choose the state",
  place: "The place has at most 100 letters",
  degrees: "Degrees as a number, like 6.5",
  bothDegrees: "Give both latitude and longitude, or neither",
  since: "A year like 2014",
  sinceAhead: "This year is still to come",
  story: "The story has at most 2,000 letters",
  registration: "The registration has at most 60 letters",
  visitedOn: "A day like 14/11/2026",
  visitedOnMissing: "Say when the farm was visited",
  visitedOnAhead: "This day is still to come",
  visitedBy: "The name has at most 80 letters",
  visitedByMissing: "Say who visited the farm",
  visitNote: "The note has at most 500 letters",
  notFound: "This farm doesn't exist.",
  changed: "Somebody else has changed this farm since you opened it. Load it again, then make your changes.",
  alreadyClosed: "This farm is closed already.",
  alreadyOpen: "This farm is open already.",
  hasOpenProject: "This farm still runs a project that is open. Close the project first.",
  hasOpenRound: "A round of this farm isn't over: its harvest is still to come, or its money is still to be decided.",
  notChosen: "Choose a farm from the list, or empty the field",
  chooseOpen: "This farm is closed. Choose another one, or reopen it.",
  roundSold: "Lots of this round are sold. It stays with the farm that runs it.",
} as const;

/** "Ikeja, Lagos", or the state alone. */
export const placeOf = ({ place, state }: { place: string; state: string }): string =>
  place ? `${place}, ${state}` : state;
