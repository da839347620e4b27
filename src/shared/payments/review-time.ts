/** How soon somebody looks at a receipt, as we promise everywhere: ends "We review receipts within". */
export const reviewTimeOf = (reviewDays: number): string =>
  reviewDays === 1 ? "one working day" : `${reviewDays} working days`;
