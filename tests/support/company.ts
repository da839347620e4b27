import type { CompanyField } from "#shared/site/profile-texts.ts";
import { companyFields } from "#shared/site/profile-texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";

/** The company as its form has it: what isn't there is empty. */
export const companyTexts = (profile: SiteProfile): Record<CompanyField, string> =>
  Object.fromEntries(companyFields.map((field) => [field, profile[field] ?? ""])) as Record<CompanyField, string>;
