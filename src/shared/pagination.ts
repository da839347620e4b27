import { z } from "zod";

/** Where the next page begins; opaque. Long enough for a list that is sorted by a name and a title. */
export const cursor = z.string().max(4000).nullish();
export const cursorInput = z.object({ cursor });
