/** The open positions, as /careers shows them and applications name them. */

export type Position = {
  id: string;
  title: string;
  location: string;
  /** Per month, in naira. */
  salary: string;
  description: string;
  responsibilities: readonly string[];
  requirements: readonly string[];
};

export const positions = [
  {
    id: "farm-manager",
    title: "Farm Manager",
    location: "Epe, Lagos State",
    salary: "₦250,000-350,000",
    description:
      "You run a backed farm from stocking to harvest. You plan the season, lead the team, keep the books of the farm, and tell backers each week how their lot is doing, also when the week was bad.",
    responsibilities: [
      "Plan stocking, feeding, planting and harvest, and keep to the budget",
      "Lead a team of six to ten farm hands and interns",
      "Write the weekly report with figures and photos for backers",
      "Keep animals, people and buildings safe and clean",
      "Welcome backers who visit the farm",
    ],
    requirements: [
      "Three years or more in charge of a fish, snail, poultry or crop farm",
      "A diploma or degree in agriculture, or experience that stands in for it",
      "Plain written English, and figures you can explain",
      "Ready to live within 30 minutes of the farm",
    ],
  },
  {
    id: "farm-hand",
    title: "Farm Hand",
    location: "Ijebu Ode, Ogun State",
    salary: "₦100,000-150,000",
    description:
      "You do the daily work that a harvest rests on: feeding, watering, cleaning, weeding and mending, in a small team and in every weather. We show you how each farm works before you work on your own.",
    responsibilities: [
      "Feed and water animals, and check their health morning and evening",
      "Clean ponds, pens and houses, and keep tools in order",
      "Plant, weed, harvest and pack",
      "Note each day's figures for the weekly report",
    ],
    requirements: [
      "Fit for physical work outdoors",
      "Reliable, early, and good with animals",
      "Able to read and write simple records",
      "Experience on a farm helps, but is not needed",
    ],
  },
  {
    id: "agricultural-intern",
    title: "Agricultural Intern",
    location: "Ibadan, Oyo State",
    salary: "₦50,000-70,000",
    description:
      "Six months on two of our farms with a manager who teaches you. You measure, record and compare, take part in the daily work, and end with a small trial of your own.",
    responsibilities: [
      "Record growth, feed, water quality and losses",
      "Take the photos for the weekly reports",
      "Help the farm hands with the daily work",
      "Plan and report one small trial",
    ],
    requirements: [
      "Studying agriculture, fisheries or animal science, or finished within two years",
      "Curious, exact, and at ease with a phone and a spreadsheet",
      "Free for six months, five days a week",
    ],
  },
] as const satisfies readonly Position[];

export const positionTitles = positions.map(({ title }) => title);
