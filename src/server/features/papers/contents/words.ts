import { oneLine } from "#server/platform/text.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import type { SiteProfile } from "#shared/site/site.ts";

/** Whoever closed their account has no name any more. */
export const nameOf = (fullName: string): string => oneLine(fullName) || "Unknown";

export const left = (label: string) => ({ label, align: "left" as const });

export const right = (label: string) => ({ label, align: "right" as const });

/** "−₦5.00" of what is taken off. */
export const offText = (kobo: Kobo): string => (kobo > 0n ? `−${formatNairaExact(kobo)}` : formatNairaExact(kobo));

/** "−₦5.00" of a negative sum, with the sign that a paper prints. */
export const signedText = (kobo: Kobo): string => (kobo < 0n ? offText(-kobo) : formatNairaExact(kobo));

/** The lines of an address without the commas that end them. */
const linesOf = (address: string): string[] =>
  address.split("\n").flatMap((line) => line.trim().replace(/,$/, "").trim() || []);

/** The company with its number and address, the site, and where questions go. */
export const issuedBy = (site: SiteProfile) => ({
  label: "Issued by",
  value: [
    site.legalName === null ? site.name : `${site.legalName} (${site.name})`,
    site.companyNumber,
    site.address && oneLine(linesOf(site.address).join(", ")),
    site.supportEmail,
  ]
    .filter(Boolean)
    .join(", "),
});
