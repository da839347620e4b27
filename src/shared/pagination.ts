import { z } from "zod";

/** Opaque: where the next page begins. */
export const cursor = z.string().max(500).nullish();
export const cursorInput = z.object({ cursor });
