import { createLink, type LinkComponent } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";
import classes from "./filter-nav.module.css";

/** The ways to look at a list, side by side. Holds {@link FilterLink}s. */
export function FilterNav({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.filter} aria-label={label}>
      {children}
    </nav>
  );
}

type FilterAnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  isCurrent: boolean;
  /** How many rows it shows, or in words what of them counts. */
  count?: number | string | undefined;
  ref?: Ref<HTMLAnchorElement>;
};

function FilterAnchor({ isCurrent, count, children, ...props }: FilterAnchorProps) {
  return (
    <a {...props} className={classes.choice} aria-current={isCurrent ? "page" : undefined}>
      {children}
      {count !== undefined && <span className={classes.count}> {count}</span>}
    </a>
  );
}

const CreatedFilterLink = createLink(FilterAnchor);

/** One of them: an address that differs from the shown one by its search only. */
export const FilterLink: LinkComponent<typeof FilterAnchor> = (props) => <CreatedFilterLink {...props} />;

type FilterToggleProps = { isOn: boolean; onPress: () => void; children: ReactNode };

/** One that is switched on and off where it stands. */
export function FilterToggle({ isOn, onPress, children }: FilterToggleProps) {
  return (
    <button type="button" className={classes.choice} aria-pressed={isOn} onClick={onPress}>
      {children}
    </button>
  );
}
