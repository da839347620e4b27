import { createHash } from "node:crypto";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { lotsTaken, priceOfLot } from "#shared/projects/texts.ts";

/** The size of link preview pictures. Chat programs and social networks accept no SVG, and expect this format. */
export const cardSize = { width: 1200, height: 630 } as const;

/** The preview of pages without their own picture. */
export const siteCardPath = "/cards/site.jpg";

type CardFacts = { fundingGoalKobo: Kobo; lotPriceKobo: Kobo } & Parameters<typeof lotsTaken>[0];

/**
 * What stands on a project's card, as what one can buy is asked for first: "₦50,000 a lot" over "12 of 40 lots taken · Goal
 * ₦2,000,000". The price of a single lot is the goal.
 */
export function cardWords(project: CardFacts): { price: string; details: string } {
  const price = priceOfLot(project);
  if (price === null) return { price: formatNaira(project.lotPriceKobo), details: lotsTaken(project) };
  return { price, details: `${lotsTaken(project)} · Goal ${formatNaira(project.fundingGoalKobo)}` };
}

/** The version changes with the card's content, so that clients with a cached card fetch the new one. */
export function projectCardPath(projectId: number, project: CardFacts & { imageUrl: string }): string {
  const version = createHash("sha256")
    .update(`${JSON.stringify(cardWords(project))} ${project.imageUrl}`)
    .digest("hex")
    .slice(0, 8);
  return `/cards/project/${projectId}.jpg?v=${version}`;
}
