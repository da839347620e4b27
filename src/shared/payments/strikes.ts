import { z } from "zod";
import { evidenceFileIds } from "./evidence.ts";
import { paymentIdInput } from "./inputs.ts";

/** The details of a request for a strike. It isn't carried out if another amount is missing by then. */
export const strikePaymentDetails = paymentIdInput.extend({
  /** The loss, in kobo as digits, because a request is kept as JSON. */
  lostKobo: z.string().regex(/^[1-9]\d{0,15}$/),
  /** The proof that the money never came, or was taken back. */
  fileIds: evidenceFileIds.default([]),
});
