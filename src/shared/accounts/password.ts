/** The sign-up rule for passwords, shared by the screen's meter and the server's check. */

export const passwordLimits = { min: 8, bonusAt: 12, max: 256, minScore: 3 } as const;

const passwordTexts = {
  tooShort: "Password must be at least 8 characters long",
  tooLong: "Password must be at most 256 characters long",
  weak: "Please choose a stronger password that meets all requirements.",
} as const;

/** The server's texts for passwords that meet the requirements but are easy to guess. */
export const guessableTexts = {
  common: "This password is easy to guess: it is a common or leaked password, or close to one.",
  personal: "This password is easy to guess: it is made of your name or your email address.",
  site: "This password is easy to guess: it is made of the name of this site.",
  pattern: "This password is easy to guess: it follows a pattern, such as abc, 123, a date or a row of keys.",
  word: "This password is easy to guess: it is a single word or name. Add two or three more words.",
} as const;

type Requirement = { id: string; text: string; isMetBy: (password: string) => boolean };

const lengthRequirement: Requirement = {
  id: "length",
  text: passwordTexts.tooShort,
  isMetBy: (password) => password.length >= passwordLimits.min,
};

const kindsOfCharacters: Requirement[] = [
  {
    id: "uppercase",
    text: "Password should contain at least one uppercase letter",
    isMetBy: (password) => /\p{Lu}/u.test(password),
  },
  {
    id: "lowercase",
    text: "Password should contain at least one lowercase letter",
    isMetBy: (password) => /\p{Ll}/u.test(password),
  },
  {
    id: "number",
    text: "Password should contain at least one number",
    isMetBy: (password) => /\p{N}/u.test(password),
  },
  {
    id: "special",
    text: "Password should contain at least one special character",
    isMetBy: (password) => /[^\p{L}\p{N}\s]/u.test(password),
  },
];

export const passwordRequirements: readonly Requirement[] = [lengthRequirement, ...kindsOfCharacters];

/** From 0 to 5: one point per kind of character, and one for a length of 12 or more. */
export function passwordScore(password: string): number {
  const kinds = kindsOfCharacters.filter((requirement) => requirement.isMetBy(password)).length;
  return kinds + (password.length >= passwordLimits.bonusAt ? 1 : 0);
}

const labels = ["Very Weak", "Very Weak", "Weak", "Moderate", "Strong", "Very Strong"] as const;

export function passwordLabel(score: number): (typeof labels)[number] {
  return labels[score] ?? "Very Weak";
}

/** Returns the reason why the password isn't allowed, as a text for the person, or null. */
export function passwordFault(password: string): string | null {
  if (password.length < passwordLimits.min) return passwordTexts.tooShort;
  if (password.length > passwordLimits.max) return passwordTexts.tooLong;
  return passwordScore(password) >= passwordLimits.minScore ? null : passwordTexts.weak;
}
