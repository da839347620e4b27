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
  hasCareers: true,
  reviewDays: 1,
  reviewTime: "one working day",
};

/** Another operator, of whom nothing begins as the demo's does. */
export const otherOperator: Site = {
  ...gona,
  version: 2,
  name: "Harvest House",
  legalName: "Harvest House Cooperative",
  tagline: "Own a part of a field.",
  companyNumber: "RC 765432",
  address: "4 Mill Road, Jos",
  phone: "+2348012345678",
  whatsapp: "+2348012345679",
  supportEmail: "people@harvest-house.example",
  regulatorNote: "Registered with nobody in particular.",
  referencePrefix: "HH",
  paperPrefix: "H",
  publicUrl: "https://harvest-house.example",
};

/** A reader that always gives this site. */
export const siteOf = (site: Site): SiteReader => ({ current: () => site, refresh: async () => {}, close() {} });
