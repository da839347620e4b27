import type { SiteReader } from "#server/platform/deps.ts";
import { type Site, unnamedSite } from "#shared/site/site.ts";
import operator from "../../demo/site.json" with { type: "json" };

/** The demo's operator, which the tests' sites are named after. */
export const gona: Site = {
  ...unnamedSite,
  ...operator,
  version: 1,
  publicUrl: "https://gona.example",
  markPath: null,
};

/** A reader that always gives this site. */
export const siteOf = (site: Site): SiteReader => ({ current: () => site, refresh: async () => {}, close() {} });
