import type { Site } from "#shared/site/site.ts";

/** How soon somebody looks at a receipt, as we promise everywhere: ends "We review receipts within". */
export const reviewTime = ({ reviewDays }: Pick<Site, "reviewDays">): string =>
  reviewDays === 1 ? "one working day" : `${reviewDays} working days`;
