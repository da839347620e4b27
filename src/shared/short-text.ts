import { z } from "zod";
import { cleanText } from "./free-text.ts";

/**
 * The base of every short field that people type or paste: names, addresses, numbers, codes, amounts, searches. What phones
 * paste unseen is gone before anything is checked. `error` is what zod takes: the text for an absent value.
 */
export const shortText = (error?: Parameters<typeof z.string>[0]) => z.string(error).overwrite(cleanText);
