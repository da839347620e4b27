import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sanitizePageText } from "#server/platform/rich-text.ts";
import { demoFolder } from "#server/root.ts";
import { applicantStatuses } from "#shared/careers/applicant-statuses.ts";
import { positions } from "#shared/careers/positions.ts";
import { nairaToKobo } from "#shared/money.ts";
import { type CategoryId, categoryIds } from "#shared/projects/categories.ts";
import { units } from "#shared/projects/terms-texts.ts";

/** The demo's farms and people: the files of the folder demo/, checked when read. */

const daysAgo = z.number().nonnegative();
const farm = z.strictObject({
  /** The scene's file name without .svg. */
  slug: z.string(),
  title: z.string(),
  shortDescription: z.string(),
  /** Lines of HTML: only h3, p, ul, li and strong. The amounts under "What the money buys" sum to goalNaira. */
  description: z.array(z.string()),
  location: z.string(),
  creator: z.string(),
  /** The profile on the farm's page. */
  about: z.strictObject({ sinceYear: z.int(), visitedDaysAgo: daysAgo, story: z.string() }).optional(),
  /** The slug of the farm whose scene it shows, if it has none of its own. */
  scene: z.string().optional(),
  goalNaira: z.int().positive(),
  lots: z.int().min(1).max(1000),
  /** How many lots demo people have bought; all of them for a farm that is sold out. */
  lotsSold: z.int().nonnegative(),
  /** From how many lots on the farm starts; all of them if it isn't said. */
  minimumLots: z.int().positive().optional(),
  /** Its time ran out below the minimum, and the money of all its backers is due back. */
  isGivenBack: z.boolean().default(false),
  /** The harvest terms that differ from the defaults. */
  terms: z
    .strictObject({
      unit: z.enum(units),
      plannedQuantity: z
        .int()
        .positive()
        .transform((whole) => BigInt(whole) * 1000n),
      plannedPriceKobo: z.int().positive().transform(nairaToKobo),
      plannedHarvests: z.int().min(1).max(60),
      harvestPlan: z.array(
        z
          .int()
          .positive()
          .transform((whole) => BigInt(whole) * 1000n),
      ),
      /** After the end of the campaign. */
      firstHarvestInDays: z.int().positive(),
      farmPartRate: z.int().min(0).max(9000),
      deductibleCosts: z.array(z.string()),
      collectionPlace: z.string(),
      insurance: z.strictObject({ insurer: z.string(), policy: z.string(), covers: z.string() }),
      releaseParts: z.array(
        z.strictObject({ label: z.string(), rate: z.int(), proof: z.string(), afterDays: z.int().min(0) }),
      ),
    })
    .partial()
    .default({}),
  durationDays: z.int().positive(),
  startedDaysAgo: daysAgo,
  isClosed: z.boolean(),
  /** When its last lot was sold. */
  closedDaysAgo: daysAgo.optional(),
  imageAlt: z.string(),
  /** Parts of its scene, 1200 wide and 750 high, that its gallery shows as photos of their own. */
  closeUps: z
    .array(z.strictObject({ x: z.int().min(0), y: z.int().min(0), width: z.int().positive(), altText: z.string() }))
    .default([]),
  updates: z.array(z.strictObject({ daysAgo, title: z.string(), content: z.string() })),
  /** A private one is between the demo's backer and the team: what the team writes answers the one before it. */
  messages: z.array(
    z.strictObject({
      daysAgo,
      from: z.enum(["backer", "admin"]),
      isPrivate: z.boolean().default(false),
      content: z.string(),
    }),
  ),
});

const crowd = z.strictObject({
  people: z.array(z.strictObject({ fullName: z.string(), email: z.email() })),
  applicants: z.array(
    z.strictObject({
      fullName: z.string(),
      email: z.email(),
      phone: z.string(),
      position: z.enum(positions.map(({ title }) => title)),
      coverLetter: z.string().nullable(),
      status: z.enum(applicantStatuses),
      daysAgo,
    }),
  ),
  contactMessages: z.array(
    z.strictObject({
      name: z.string(),
      email: z.email(),
      phone: z.string(),
      message: z.string(),
      daysAgo,
      isRead: z.boolean(),
    }),
  ),
});

/** The percentages of their part that a backer takes and gives away; null for one who doesn't choose. */
const choice = z.strictObject({ take: z.int().min(0).max(100), give: z.int().min(0).max(100) }).nullable();
/** A paper that shows something, made as a PDF. */
const paper = z.strictObject({ title: z.string(), rows: z.array(z.tuple([z.string(), z.string()])) });

/** A part of the farm's scene, 1200 wide and 750 high, as the camera saw it. */
export const demoPhoto = z.strictObject({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().positive(),
  /** On which side somebody holds a slate with the report's code. */
  slate: z.enum(["left", "right"]).optional(),
  isMirrored: z.boolean().default(false),
});

const season = z.strictObject({
  secondOwner: z.strictObject({ fullName: z.string() }),
  /** When a statement was imported; the first opens the account. */
  importsDaysAgo: z.array(daysAgo).min(1),
  /** Lines of the bank that are no payment, sale, cost or payout; null is left to be explained. */
  lines: z.array(
    z.strictObject({
      daysAgo,
      naira: z.int(),
      narration: z.string(),
      explains: z
        .discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("bank_charges") }),
          z.strictObject({ kind: z.literal("operator"), reason: z.string() }),
        ])
        .nullable(),
    }),
  ),
  /** When the money of funded farms went on to them. */
  releases: z.array(z.strictObject({ daysAgo, farms: z.array(z.string()) })),
  /**
   * How a farm with agreed parts asked for them, and what was said. Its money isn't among the releases but for its
   * account.
   */
  parts: z.array(
    z.strictObject({
      farm: z.string(),
      part: z.int().min(1),
      askedDaysAgo: daysAgo,
      note: z.string(),
      photo: demoPhoto,
      refusal: z.string().optional(),
      releasedDaysAgo: daysAgo.optional(),
      /** The reason why two owners released it although the farm had missed two reports. */
      publicReason: z.string().optional(),
    }),
  ),
  /** Payment runs of all that is due then, and how each was paid. */
  runs: z.array(
    z.strictObject({
      daysAgo,
      paid: z.enum(["by_hand", "one_by_one", "at_once", "not_seen_yet", "not_approved_yet"]),
    }),
  ),
  notFunded: z.array(z.strictObject({ farm: z.string(), daysAgo })),
  harvests: z.array(
    z.strictObject({
      farm: z.string(),
      openedDaysAgo: daysAgo,
      quantity: z.string(),
      lost: z.string(),
      price: z.string(),
      note: z.string().default(""),
      photo: paper.optional(),
      choices: z.strictObject({ backer: choice, others: z.array(choice).min(1) }),
      collectedDaysAgo: daysAgo.optional(),
      costs: z.array(z.strictObject({ daysAgo, label: z.string(), naira: z.int().positive(), narration: z.string() })),
      /** Parts of what was for sale, in percent; the last is the rest. The price is for one unit, in naira. */
      sales: z.array(
        z.strictObject({ daysAgo, buyer: z.string(), percent: z.int().min(1).max(100), price: z.int().positive() }),
      ),
      settledDaysAgo: daysAgo.optional(),
      doneDaysAgo: daysAgo.optional(),
    }),
  ),
  losses: z.array(
    z.strictObject({
      farm: z.string(),
      foundDaysAgo: daysAgo,
      lostDaysAgo: daysAgo,
      note: z.string(),
      paper,
      reason: z.string(),
      insurance: z.strictObject({
        claimedDaysAgo: daysAgo,
        paidDaysAgo: daysAgo,
        settledDaysAgo: daysAgo,
        insurer: z.string(),
        naira: z.int().positive(),
        note: z.string(),
      }),
    }),
  ),
  /** The pasts that farms tell of, before the site. One without `confirmedDaysAgo` waits for an owner. */
  pasts: z.array(
    z.strictObject({
      farm: z.string(),
      enteredDaysAgo: daysAgo,
      confirmedDaysAgo: daysAgo.optional(),
      fromYear: z.int(),
      toYear: z.int(),
      farmed: z.string(),
      outcome: z.string(),
      unit: z.enum(units).nullable(),
      planned: z.string(),
      harvested: z.string(),
      paidBy: z.string(),
      evidence: z.string(),
      paper,
    }),
  ),
});

/** The made-up operator: the parts of a profile that differ from an unnamed site's. */
const operator = z.strictObject({
  name: z.string(),
  legalName: z.string(),
  tagline: z.string(),
  supportEmail: z.email(),
  referencePrefix: z.string(),
  paperPrefix: z.string(),
});

const testimonial = z.strictObject({
  name: z.string(),
  backed: z.string(),
  words: z.string(),
  /** The person's picture, a file of the demo's folder. */
  drawing: z.string(),
  agreement: z.string(),
});

export type DemoTestimonial = Omit<z.output<typeof testimonial>, "drawing"> & { drawing: Buffer };
export type DemoOperator = z.output<typeof operator>;
export type DemoSeason = z.output<typeof season>;
export type DemoPaper = z.output<typeof paper>;
export type DemoFarm = Omit<z.output<typeof farm>, "description"> & { category: CategoryId; descriptionHtml: string };
export type DemoCrowd = z.output<typeof crowd>;

/** Every farm, category by category. Throws if a file is missing or has unknown or invalid fields. */
export async function readDemoFarms(): Promise<DemoFarm[]> {
  const farms: DemoFarm[] = [];
  for (const category of categoryIds) {
    const found = z.array(farm).parse(await readDemoFile(`farms-${category}.json`));
    farms.push(
      ...found.map(({ description, ...rest }) => ({ ...rest, category, descriptionHtml: description.join("\n") })),
    );
  }
  return farms;
}

/** The demo's backers, applicants and writers of contact messages. */
export async function readDemoCrowd(): Promise<DemoCrowd> {
  return crowd.parse(await readDemoFile("people.json"));
}

/** How the demo's operator began. */
export async function readDemoAbout(): Promise<string> {
  return sanitizePageText(await readFile(join(demoFolder, "about.html"), "utf8"));
}

/** Reads the operator of the demo's site. */
export async function readDemoOperator(): Promise<DemoOperator> {
  return operator.parse(await readDemoFile("site.json"));
}

/** Reads the backers' quotes on the demo's home page, with their pictures. */
export async function readDemoTestimonials(): Promise<DemoTestimonial[]> {
  const said = z.array(testimonial).parse(await readDemoFile("testimonials.json"));
  return Promise.all(
    said.map(async ({ drawing, ...rest }) => ({ ...rest, drawing: await readFile(join(demoFolder, drawing)) })),
  );
}

/** Reads what happened with the farms: statements, releases, harvests, runs. */
export async function readDemoSeason(): Promise<DemoSeason> {
  return season.parse(await readDemoFile("season.json"));
}

/** A file of the demo's folder. */
export async function readDemoFile(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(demoFolder, name), "utf8"));
}
