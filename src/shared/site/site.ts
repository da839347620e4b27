import type { Look } from "./look.ts";

/** One version of the site's profile, as its operator wrote it. */
export type SiteProfile = {
  /** 0 before anybody has written a profile. */
  version: number;
  name: string;
  /** The company that runs the site. */
  legalName: string | null;
  tagline: string;
  /** With its register: RC 123456. */
  companyNumber: string | null;
  address: string | null;
  /** Both as +2348012345678. */
  phone: string | null;
  whatsapp: string | null;
  supportEmail: string | null;
  regulatorNote: string | null;
  /** Before the codes that backers write on their transfers: FARM of FARM-7K3P-9Q2M. */
  referencePrefix: string;
  /** The first letter of papers' numbers and of payouts' references: G of GR-2026-000123 and GP-7K3P-9Q2M. */
  paperPrefix: string;
  /** The operator's colour and its ten shades, from light to dark; null for the product's own green. */
  look: Look | null;
  /** The stored picture of the operator's mark; null where the first letter stands in for it. */
  markFileId: string | null;
};

/** The profile that counts, as screens, mails and papers name it. */
export type Site = SiteProfile & {
  /** The site's address, without a slash at its end. */
  publicUrl: string;
  /** True if it offers jobs (setting careers). */
  hasCareers: boolean;
  /** Within how many working days receipts are reviewed (setting reviewdays). */
  reviewDays: number;
  /** The same in words: "one working day". */
  reviewTime: string;
  /** Where the mark's sizes are, as /192.png; null for the product's own leaf, which the demo shows until it has another. */
  markPath: string | null;
};

/** The sizes of a mark, in pixels of its square. */
export const markSizes = [32, 180, 192, 512] as const;
export type MarkSize = (typeof markSizes)[number];

/** The product's own green. */
export const productColor = "#165726";

/** The name of a site until its operator gives one. */
export const unnamedSite: SiteProfile = {
  version: 0,
  name: "Your site",
  legalName: null,
  tagline: "Back a Nigerian farm. Watch it grow. Share the harvest.",
  companyNumber: null,
  address: null,
  phone: null,
  whatsapp: null,
  supportEmail: null,
  regulatorNote: null,
  referencePrefix: "PAY",
  paperPrefix: "P",
  look: null,
  markFileId: null,
};

/** The facts of an installation that a page knows before it is first painted, so that nothing moves afterwards. */
export type SiteFacts = Site & {
  /** Farms, people and bank details are made up. */
  isDemo: boolean;
  hasGoogleSignIn: boolean;
};

/** The company, or the site's name until there is one. */
export const companyOf = ({ legalName, name }: Pick<Site, "legalName" | "name">): string => legalName ?? name;

/** Where questions go, after "Write to": the support address, or the contact form until there is one. */
export const supportOf = ({ supportEmail }: Pick<Site, "supportEmail">): string =>
  supportEmail ?? "us through the contact form";

/** The name as part of a file's name: "Green Farms" is green-farms. */
export const fileNameOf = ({ name }: Pick<Site, "name">): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "site";
