import type { Site } from "#shared/site/site.ts";

/** How soon somebody looks at a receipt, as we promise everywhere: ends "We review receipts within". */
export const reviewTime = ({ reviewDays }: Pick<Site, "reviewDays">): string =>
  reviewDays === 1 ? "one working day" : `${reviewDays} working days`;

/** The sentence of it. */
export const reviewPromise = (site: Pick<Site, "reviewDays">): string =>
  `We review receipts within ${reviewTime(site)} and email you.`;
