import { z } from "zod";

/** The SHA-256 of a text as it was read. */
export const textHash = z.string().regex(/^[0-9a-f]{64}$/);

/** Agrees to a change: the version and the words that were shown. */
export const agreeToChangeInput = z.object({ version: z.int().min(1).max(1_000_000), sha256: textHash });

export const agreedTextInput = z.object({ sha256: textHash });
