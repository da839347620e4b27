import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { applicantStatuses } from "#shared/applicant-statuses.ts";
import { type CategoryId, categoryIds } from "#shared/categories.ts";
import { nairaToKobo } from "#shared/money.ts";
import { positions } from "#shared/positions.ts";
import { units } from "#shared/terms-texts.ts";

/** The demo's farms and people: the files of the folder demo/, checked when read. */

const folder = join(import.meta.dirname, "../../../demo");

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
  goalNaira: z.int().positive(),
  lots: z.int().min(1).max(1000),
  /** How many lots demo people have bought; all of them for a farm that is sold out. */
  lotsSold: z.int().nonnegative(),
  /** From how many lots on the farm starts; all of them if it isn't said. */
  minimumLots: z.int().positive().optional(),
  /** Its time ran out below the minimum, and the money of all its backers is due back. */
  isGivenBack: z.boolean().default(false),
  /** What the harvest terms say besides the defaults. */
  terms: z
    .strictObject({
      unit: z.enum(units),
      plannedQuantity: z
        .int()
        .positive()
        .transform((whole) => BigInt(whole) * 1000n),
      plannedPriceKobo: z.int().positive().transform(nairaToKobo),
      plannedHarvests: z.int().min(1).max(60),
      /** After the end of the campaign. */
      firstHarvestInDays: z.int().positive(),
      farmPartRate: z.int().min(0).max(9000),
      deductibleCosts: z.array(z.string()),
      collectionPlace: z.string(),
      insurance: z.strictObject({ insurer: z.string(), policy: z.string(), covers: z.string() }),
    })
    .partial()
    .default({}),
  durationDays: z.int().positive(),
  startedDaysAgo: daysAgo,
  isClosed: z.boolean(),
  imageAlt: z.string(),
  updates: z.array(z.strictObject({ daysAgo, title: z.string(), content: z.string() })),
  messages: z.array(z.strictObject({ daysAgo, from: z.enum(["backer", "admin"]), content: z.string() })),
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

export type DemoFarm = Omit<z.output<typeof farm>, "description"> & { category: CategoryId; descriptionHtml: string };
export type DemoCrowd = z.output<typeof crowd>;

/** Every farm, category by category. Throws if a file is missing or has unknown or invalid fields. */
export async function readDemoFarms(): Promise<DemoFarm[]> {
  const farms: DemoFarm[] = [];
  for (const category of categoryIds) {
    const found = z.array(farm).parse(await readJson(`farms-${category}.json`));
    farms.push(
      ...found.map(({ description, ...rest }) => ({ ...rest, category, descriptionHtml: description.join("\n") })),
    );
  }
  return farms;
}

/** The demo's backers, applicants and writers of contact messages. */
export async function readDemoCrowd(): Promise<DemoCrowd> {
  return crowd.parse(await readJson("people.json"));
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, name), "utf8"));
}
