/** The seven fixed categories; a project without one shows {@link generalCategory}. */
export const categories = [
  { id: "sustainable", name: "Sustainable Farming" },
  { id: "organic", name: "Organic Produce" },
  { id: "livestock", name: "Livestock" },
  { id: "tech", name: "Agri-Tech" },
  { id: "community", name: "Community Gardens" },
  { id: "education", name: "Agricultural Education" },
  { id: "equipment", name: "Farm Equipment" },
] as const;

export type CategoryId = (typeof categories)[number]["id"];
export const categoryIds = categories.map((category) => category.id);

const generalCategory = "General";

export function categoryName(id: CategoryId | null): string {
  return categories.find((category) => category.id === id)?.name ?? generalCategory;
}
