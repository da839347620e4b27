import { createHash } from "node:crypto";
import { brand } from "#shared/brand.ts";

/** The picture that chat programs and social networks show with a link: they take no SVG, and this format. */
export const cardSize = { width: 1200, height: 630 } as const;

/** For every page without a picture of its own. */
export const siteCard = { path: "/cards/site.jpg", alt: `${brand.name}. ${brand.tagline}` } as const;

/** Changes with what is on the card: who has seen the link before fetches the new one. */
export function projectCardPath(projectId: number, project: { imageUrl: string; fundingGoalKobo: bigint }): string {
  const { imageUrl, fundingGoalKobo } = project;
  const version = createHash("sha256").update(`${fundingGoalKobo} ${imageUrl}`).digest("hex").slice(0, 8);
  return `/cards/project/${projectId}.jpg?v=${version}`;
}
