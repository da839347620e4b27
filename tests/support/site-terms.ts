import type { Deps } from "#server/platform/deps.ts";
import { agreedTextHash, readPageText } from "#server/platform/page-texts.ts";

/** The hash of the site's terms in force, as the payment page gives it: what a buyer sends back with their tick. */
export const siteTermsOf = async (deps: Pick<Deps, "db" | "clock">): Promise<string> =>
  agreedTextHash(await readPageText(deps, "terms"));
