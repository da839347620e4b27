import { useMarkHydrated } from "#client/lib/page-hydration.ts";
import { useSite } from "#client/lib/site.ts";
import { useDocumentTitle } from "#client/ui/layout/page.tsx";

/**
 * Names the browser tab: "Discover · Green Farms"; without a title just the name. Every route renders one, which also
 * marks it as hydrated.
 */
export function PageTitle({ children = "" }: { children?: string }) {
  const site = useSite();
  useMarkHydrated();
  useDocumentTitle(children, site.name);
  return null;
}
