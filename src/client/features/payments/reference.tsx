import { Fragment } from "react";
import classes from "./payments.module.css";

/**
 * A payment's reference. It breaks behind the name that all of them begin with, or not at all. Figures of one width
 * bring hyphens as wide: only the groups between them have such figures.
 */
export function Reference({ text }: { text: string }) {
  const [name, ...groups] = text.split("-");
  return (
    <span>
      {name}-<wbr />
      <span className={classes.groups}>
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other name, and never move.
          <Fragment key={index}>
            {index > 0 && "-"}
            <span className="money">{group}</span>
          </Fragment>
        ))}
      </span>
    </span>
  );
}
