/** The texts that the operator answers for. They write their own, or adopt the software's. */
export const ownPages = ["about", "terms", "privacy", "cookies", "accessibility"] as const;
export type OwnPage = (typeof ownPages)[number];

/** The act by which somebody agreed to a text. */
export const consentKinds = ["sign_up", "purchase", "change"] as const;

/** The heading of each. */
export const pageTitles: Record<OwnPage, string> = {
  about: "About us",
  terms: "Terms of Service",
  privacy: "Privacy Policy",
  cookies: "Cookie Policy",
  accessibility: "Accessibility",
};
