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
export type NigerianState = (typeof nigerianStates)[number];

/**
 * A reporter sends reports and photos. A keeper also drafts harvests, enters costs, hands produce over and sees what went to
 * the farm. Neither is an administrator.
 */
export const farmRoles = ["reporter", "keeper"] as const;
export type FarmRole = (typeof farmRoles)[number];

/** What a role allows: `report` is reports and their photos, `keep` everything else that a keeper does. */
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
} as const;
