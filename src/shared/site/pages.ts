/** The texts that the operator answers for. They write their own, or adopt the software's. */
export const ownPages = ["about", "terms", "privacy", "cookies", "accessibility"] as const;

/** What somebody did when they agreed to a text. */
export const consentKinds = ["sign_up", "purchase", "change"] as const;
