import { trpc } from "#client/lib/trpc.ts";
import classes from "./shell.module.css";

/** On demo data nobody must take the farms, the people or the bank account for real. */
export function DemoBanner() {
  const { data } = trpc.settings.site.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  if (!data?.isDemo) return null;
  return (
    <aside className={classes.demo} aria-label="Demo notice">
      <strong>Demo.</strong> The farms, people and bank details here are made up. Send no money.
    </aside>
  );
}
