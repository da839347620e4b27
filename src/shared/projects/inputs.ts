import { z } from "zod";
import { positiveInt } from "#shared/ids.ts";
import { type Kobo, parseNaira } from "#shared/money.ts";
import { cursor } from "#shared/pagination.ts";
import { isPhotoPath } from "#shared/photos.ts";
import { shortText } from "#shared/short-text.ts";
import { projectFormLimits as limits, projectFormTexts as texts } from "./admin-texts.ts";
import { categoryIds } from "./categories.ts";
import { dashboardSorts, projectSorts } from "./texts.ts";

export const projectId = positiveInt;
/** A project's id in a form with a file, whose fields are texts. */
export const projectIdField = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(projectId);
export const projectIdInput = z.object({ projectId });

/** The text of a search. */
export const searchText = shortText().max(100).default("");

export const listProjectsInput = z.object({
  search: searchText,
  sort: z.enum(projectSorts).default("popular"),
  category: z.enum(categoryIds).nullable().default(null),
  showClosed: z.boolean().default(false),
  /** Where the farm is. A name that no state has finds none. */
  state: shortText().max(20).nullable().default(null),
  /** The most that a lot costs, in naira. */
  maxLotPrice: z.number().int().min(1).nullable().default(null),
  firstHarvestUntil: z.iso
    .date()
    .refine((day) => "2000" < day && day < "2200")
    .nullable()
    .default(null),
  /** A round of its farm has ended, well or badly. */
  hasRecord: z.boolean().default(false),
  isInsured: z.boolean().default(false),
  /** Lots are free to buy now. */
  hasFreeLots: z.boolean().default(false),
  cursor,
});
/** The same without a place in the list. */
export const countProjectsInput = listProjectsInput.omit({ sort: true, cursor: true });

const page = z.number().int().min(1).max(10_000).default(1);

/** A project's media, five per page. */
export const listPageInput = z.object({ projectId, page });
/** The same with a search, for updates and messages. */
export const listContentInput = listPageInput.extend({ search: searchText });

export const listDashboardProjectsInput = z.object({
  search: searchText,
  sort: z.enum(dashboardSorts).default("title"),
  cursor,
});

/** Counts code points, as the database does. */
const lengthOf = (text: string) => [...text].length;
const isAtLeast = (length: number) => (text: string) => lengthOf(text) >= length;
const isAtMost = (length: number) => (text: string) => lengthOf(text) <= length;

/** A description's text without its markup. */
const textOf = (html: string) =>
  html
    .replace(/<[^<>]*>/g, " ")
    .replace(/&nbsp;|\s+/g, " ")
    .trim();

/** True if a description's text is long enough without its markup. */
export const isFullDescription = (html: string) => isAtLeast(limits.description.min)(textOf(html));

/** Parses a typed amount of naira to kobo. */
const koboFrom = (text: string, ctx: z.RefinementCtx, message: string): Kobo => {
  const kobo = parseNaira(text);
  if (kobo !== null) return kobo;
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
};

const MIN_GOAL_KOBO = BigInt(limits.goalNaira.min) * 100n;

const fundingGoal = shortText(texts.required)
  .min(1, texts.required)
  .max(30, texts.goalHigh)
  .transform((text, ctx) => koboFrom(text, ctx, /^[₦\d,.\s]*\d{10}/.test(text) ? texts.goalHigh : texts.goalUnreadable))
  .refine((kobo) => kobo >= MIN_GOAL_KOBO, texts.goalLow);

const webUrl = z.url({ protocol: /^https?$/, error: texts.urlInvalid }).max(limits.url, texts.urlInvalid);
const secureUrl = z.url({ protocol: /^https$/, error: texts.urlInvalid }).max(limits.url, texts.urlInvalid);
const scenePath = /^\/scenes\/[a-z0-9-]+\.svg$/;

/** An uploaded photo, one of our drawings, or any https address (product decision: pages show pictures over https). */
const imageUrl = shortText(texts.required)
  .min(1, { error: texts.imageMissing, abort: true })
  .refine((url) => isPhotoPath(url) || scenePath.test(url) || secureUrl.safeParse(url).success, texts.urlInvalid);

const reward = z
  .object({
    title: shortText(texts.required)
      .min(1, texts.rewardTitleMissing)
      .refine(isAtMost(limits.rewards.title), texts.rewardTitleLong),
    amount: shortText(texts.required)
      .max(30, texts.rewardAmount)
      .transform((text, ctx) => koboFrom(text, ctx, texts.rewardAmount))
      .refine((kobo) => kobo > 0n, texts.rewardAmount),
    description: shortText(texts.required)
      .min(1, texts.rewardDescriptionMissing)
      .refine(isAtMost(limits.rewards.description), texts.rewardDescriptionLong),
    /** Null means unlimited. */
    quantity: z
      .number(texts.rewardQuantity)
      .int(texts.rewardQuantity)
      .min(1, texts.rewardQuantity)
      .max(limits.rewards.quantity, texts.rewardQuantity)
      .nullable(),
  })
  .transform(({ amount, ...rest }) => ({ ...rest, amountKobo: amount.toString() }));

const basics = z.object({
  // The maximum length has zod's own message (specification, section 5).
  title: shortText({ error: ({ code }) => (code === "invalid_type" ? texts.required : undefined) })
    .refine(isAtLeast(limits.title.min), texts.titleShort)
    .max(limits.title.max),
  category: z.enum(categoryIds, texts.categoryMissing),
  shortDescription: shortText(texts.required)
    .refine(isAtLeast(limits.shortDescription.min), texts.shortDescriptionShort)
    .refine(isAtMost(limits.shortDescription.max), texts.shortDescriptionLong),
  fundingGoal,
  lots: z
    .number(texts.lotsWhole)
    .int(texts.lotsWhole)
    .min(limits.lots.min, texts.lotsWhole)
    .max(limits.lots.max, texts.lotsWhole)
    .default(1),
  /** From how many lots on the farm starts; null for all of them. */
  minimumLots: z.number(texts.minimumLots).int(texts.minimumLots).min(1, texts.minimumLots).nullable().default(null),
  duration: z
    .number(texts.required)
    .int(texts.durationWhole)
    .min(limits.durationDays.min, texts.durationShort)
    .max(limits.durationDays.max, texts.durationLong),
  location: shortText(texts.required).refine(isAtMost(limits.location), texts.locationLong),
  /** Who runs it; null for the operator. A form without it leaves a project as it is. */
  farmId: positiveInt.nullable().optional(),
});

const story = z.object({
  description: z
    .string(texts.required)
    .max(limits.description.maxHtml, { error: texts.descriptionLong, abort: true })
    .refine(isFullDescription, { error: texts.descriptionShort, abort: true })
    .refine((html) => isAtMost(limits.description.max)(textOf(html)), texts.descriptionLong),
  videoUrl: shortText(texts.required).pipe(webUrl.or(z.literal("", texts.urlInvalid))),
  imageUrl,
  imageAlt: shortText(texts.required).refine(isAtMost(limits.imageAlt), texts.imageAltLong),
});

const rewards = z.object({ rewards: z.array(reward, texts.required).max(limits.rewards.max, texts.rewardsMany) });

/** Goal and lots go together: the price of a lot is whole naira, unless the project is one lot. */
function checkLots(form: z.output<typeof basics>, ctx: z.RefinementCtx): void {
  const { fundingGoal, lots, minimumLots } = form;
  if (lots > 1 && fundingGoal % (BigInt(lots) * 100n) !== 0n) {
    ctx.addIssue({ code: "custom", path: ["lots"], message: texts.lotsUneven });
  }
  if (minimumLots !== null && minimumLots > lots) {
    ctx.addIssue({ code: "custom", path: ["minimumLots"], message: texts.minimumLots });
  }
}

const fields = basics.extend(story.shape).extend(rewards.shape);

/** The wizard checks one step at a time; the edit screen and the server check the whole form. */
export const projectFormSteps = [basics.superRefine(checkLots), story, rewards] as const;
export const projectForm = fields.superRefine(checkLots);
export type ProjectFormInput = z.input<typeof projectForm>;

/** The key is generated once per intended clone, and kept for a retry after a lost response. */
export const cloneProjectInput = z.object({ projectId, idempotencyKey: z.uuid() });

/** `seenUpdatedAt` is from the project that filled the form: a project that has changed since isn't touched. */
export const updateProjectInput = fields.extend({ projectId, seenUpdatedAt: z.date() }).superRefine(checkLots);
