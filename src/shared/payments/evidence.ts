import { z } from "zod";

/** Files by which two owners decide on a payment. */

export const paymentEvidenceTexts = {
  fileFirst: "Please upload the paper that proves it (again).",
  fileGone: "This paper isn't available.",
  linkExpired: "This link has expired. Open the paper again.",
} as const;

/** Files that were uploaded before. A request without any is refused in words by its service. */
export const evidenceFileIds = z.array(z.uuid()).max(5);
