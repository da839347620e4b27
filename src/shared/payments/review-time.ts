/** Within how many working days somebody looks at a receipt, as we promise everywhere. */
const reviewDays: number = 1;

/** Ends "We review receipts within". */
export const reviewTime = reviewDays === 1 ? "one working day" : `${reviewDays} working days`;
