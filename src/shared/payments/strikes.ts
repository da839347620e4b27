import { z } from "zod";
import { evidenceFileIds } from "./evidence.ts";
import { paymentIdInput } from "./inputs.ts";

/** What a strike was asked for by. A payment of which something else is missing since isn't struck. */
export const strikePaymentDetails = paymentIdInput.extend({
  /** What is lost, in kobo as digits, because a request is kept as JSON. */
  lostKobo: z.string().regex(/^[1-9]\d{0,15}$/),
  /** What shows that the money never came, or was taken back. */
  fileIds: evidenceFileIds.default([]),
});
