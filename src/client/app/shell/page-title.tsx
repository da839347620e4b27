import { useMarkHydrated } from "#client/lib/page-hydration.ts";
import { useDocumentTitle } from "#client/ui/layout/page.tsx";
import { brand } from "#shared/brand.ts";

/**
 * Names the browser tab: "Discover · Gona"; without a title just the name. Every route renders one, which also marks it as
 * hydrated.
 */
export function PageTitle({ children = "" }: { children?: string }) {
  useMarkHydrated();
  useDocumentTitle(children, brand.name);
  return null;
}
