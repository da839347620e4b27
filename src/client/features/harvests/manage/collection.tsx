import { useCan } from "#client/lib/session/session.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { collectedWords, collectionState, type HarvestProps, nameOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** How far the collection is, and the way to the screen that hands produce over. Nothing where nobody takes any. */
export function Collection({ harvest }: Pick<HarvestProps, "harvest">) {
  const { id, state, collectsUntil, now, parts } = harvest;
  const mayHandOver = useCan("harvests:manage");
  const is = collectionState({ state, collectsUntil, now });
  if (is === "none" || state === "done") return null;
  return (
    <section className={classes.section} aria-label={`Collection of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Collection</h3>
      <p>
        {collectedWords(parts)}
        {is === "over" && parts.collected < parts.takers && " The time for it is over: the rest is sold."}
      </p>
      {is === "open" && mayHandOver && (
        <LinkButton to="/admin/collect/$id" params={{ id: String(id) }} className={classes.action}>
          Hand produce over
        </LinkButton>
      )}
    </section>
  );
}
