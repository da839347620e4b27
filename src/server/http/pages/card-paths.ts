import { createHash } from "node:crypto";
import { brand } from "#shared/brand.ts";

/** The size of link preview pictures. Chat programs and social networks accept no SVG, and expect this format. */
export const cardSize = { width: 1200, height: 630 } as const;

/** The preview of pages without their own picture. */
export const siteCard = { path: "/cards/site.jpg", alt: `${brand.name}. ${brand.tagline}` } as const;

/** The version changes with the card's content, so that clients with a cached card fetch the new one. */
export function projectCardPath(projectId: number, project: { imageUrl: string; fundingGoalKobo: bigint }): string {
  const { imageUrl, fundingGoalKobo } = project;
  const version = createHash("sha256").update(`${fundingGoalKobo} ${imageUrl}`).digest("hex").slice(0, 8);
  return `/cards/project/${projectId}.jpg?v=${version}`;
}
