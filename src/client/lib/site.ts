import { useRouter } from "@tanstack/react-router";
import type { SiteFacts } from "#shared/site/site.ts";

/** Whose site this is, and what it can do, as the page came with it. */
export const useSite = (): SiteFacts => useRouter().options.context.site;
