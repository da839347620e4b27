import { categoryName } from "#shared/projects/categories.ts";
import { filterNames, type ProjectFilters } from "#shared/projects/filters-texts.ts";
import { discoverFilters } from "#shared/projects/texts.ts";

/** Texts, limits and addresses of saved searches. No schema is here, to keep zod out of the pages. */

export const savedSearchLimits = { each: 20, name: 80 } as const;

export const savedSearchTexts = {
  promise: "We mail you at most once a day when a new farm fits.",
  inAppOnly: "You switched these emails off, so new farms that fit come to your notifications only.",
  same: "You have saved this search already.",
  tooMany: `You have ${savedSearchLimits.each} saved searches, which is the most. Stop one of them first.`,
  noFilter: "Choose a filter or type a word first.",
  noName: "Give it a name.",
  gone: "This search was stopped some time ago.",
} as const;

/** The page that stops a search by the link in its mails. */
export const stopSearchPath = "/stop-search";
/** The list of one's own, for links in mails. */
export const savedSearchesPath = "/profile/account#searches";

export const isSameSearch = (one: ProjectFilters, other: ProjectFilters): boolean =>
  discoverFilters.every((name) => one[name] === other[name]);

/** The name that is proposed for a search, as "Layers in Kwara, up to ₦100,000 a lot, insurance". */
export function nameSearch(filters: ProjectFilters): string {
  const { search, category, state } = filters;
  const what = search || (category ? categoryName(category) : "Farms");
  const rest = (["maxLotPrice", "firstHarvestUntil", "hasRecord", "isInsured", "hasFreeLots"] as const).filter(
    (name) => filters[name],
  );
  return [
    what.charAt(0).toUpperCase() + what.slice(1),
    search && category ? ` of ${categoryName(category)}` : "",
    state ? ` in ${state}` : "",
    ...rest.map((name) => `, ${filterNames[name](filters)}`),
  ]
    .join("")
    .slice(0, savedSearchLimits.name);
}
