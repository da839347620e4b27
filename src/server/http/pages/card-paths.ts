import { createHash } from "node:crypto";
import { placeOf } from "#shared/farms/texts.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { lotsTaken, priceOfLot } from "#shared/projects/texts.ts";

/** The size of link preview pictures. Chat programs and social networks accept no SVG, and expect this format. */
export const cardSize = { width: 1200, height: 630 } as const;

/** The preview of pages without their own picture. */
export const siteCardPath = "/cards/site.jpg";

type CardFacts = { fundingGoalKobo: Kobo; lotPriceKobo: Kobo } & Parameters<typeof lotsTaken>[0];

/**
 * Returns the words on a project's card, the price of a lot first: "₦50,000 a lot" over "12 of 40 lots taken · Goal
 * ₦2,000,000". A single lot's price is the goal, so its card doesn't name the goal again.
 */
export function cardWords(project: CardFacts): CardWords {
  const price = priceOfLot(project);
  if (price === null) return { price: formatNaira(project.lotPriceKobo), details: lotsTaken(project) };
  return { price, details: `${lotsTaken(project)} · Goal ${formatNaira(project.fundingGoalKobo)}` };
}

type CardWords = { price: string; details: string };

/** The version changes with the card's content, so that clients with a cached card fetch the new one. */
const versioned = (path: string, words: CardWords, imageUrl: string): string => {
  const hash = createHash("sha256")
    .update(`${JSON.stringify(words)} ${imageUrl}`)
    .digest("hex");
  return `${path}?v=${hash.slice(0, 8)}`;
};

export const projectCardPath = (projectId: number, project: CardFacts & { imageUrl: string }): string =>
  versioned(`/cards/project/${projectId}.jpg`, cardWords(project), project.imageUrl);

type FarmFacts = { name: string; state: string; place: string; decided: number };

/** Returns the words on a farm's card: its name over "Ilorin, Kwara · 3 rounds on record". A long name is cut. */
export function farmCardWords({ name, decided, ...at }: FarmFacts): CardWords {
  const letters = [...name];
  const price = letters.length > farmNameOnCard ? `${letters.slice(0, farmNameOnCard - 1).join("")}…` : name;
  const rounds = decided === 1 ? "1 round" : `${decided} rounds`;
  return { price, details: `${placeOf(at)}${decided > 0 ? ` · ${rounds} on record` : ""}`.slice(0, detailsOnCard) };
}
/** Letters that fit beside the mark. */
const farmNameOnCard = 26;
const detailsOnCard = 70;

export const farmCardPath = (farmId: number, farm: FarmFacts & { imageUrl: string }): string =>
  versioned(`/cards/farm/${farmId}.jpg`, farmCardWords(farm), farm.imageUrl);
