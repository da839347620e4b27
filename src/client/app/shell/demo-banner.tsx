import { useRouter } from "@tanstack/react-router";
import classes from "./shell.module.css";

/** On demo data nobody must take the farms, the people or the bank account for real. The server says so in the head. */
export function DemoBanner() {
  if (!useRouter().options.context.isDemo) return null;
  return (
    <aside className={classes.demo} aria-label="Demo notice">
      <strong>Demo.</strong> The farms, people and bank details here are made up. Send no money.
    </aside>
  );
}
