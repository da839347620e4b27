import { Button, Loader } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { formatNumber } from "#client/lib/format.ts";
import type { PaymentWalk } from "./use-payment-walk.ts";
import classes from "./walk-bar.module.css";

type WalkBarProps = { walk: PaymentWalk; total: number | undefined; isLocked: boolean };

/**
 * The way to the payments before and after the shown one. The arrows and J and K lead there too, where the keyboard is in no
 * field.
 */
export function WalkBar({ walk, total, isLocked }: WalkBarProps) {
  const { payment, position, isLoading } = walk;
  const bar = useRef<HTMLDivElement>(null);
  const canGoBack = walk.hasPrevious && !isLoading && !isLocked;
  const canGoOn = walk.hasNext && !isLoading && !isLocked;
  const goBack = () => canGoBack && walk.previous();
  const goOn = () => canGoOn && void walk.next();
  const onKey = (go: () => void) => (event: KeyboardEvent) => isFree(event, bar.current) && go();
  const isQuiet = { preventDefault: false };
  useHotkeys([
    ["ArrowLeft", onKey(goBack), isQuiet],
    ["K", onKey(goBack), isQuiet],
    ["ArrowRight", onKey(goOn), isQuiet],
    ["J", onKey(goOn), isQuiet],
  ]);
  // What had the keyboard goes with the payment before; the next one begins at the top.
  const shownId = payment?.id;
  useEffect(() => {
    if (shownId === undefined) return;
    if (bar.current?.closest("[role=dialog]")?.contains(document.activeElement) === false) bar.current.focus();
    bar.current?.scrollIntoView({ block: "nearest" });
  }, [shownId]);
  return (
    <div ref={bar} className={classes.bar} tabIndex={-1}>
      <Button
        {...stepProps(canGoBack)}
        leftSection={<IconChevronLeft size={16} aria-hidden="true" />}
        aria-keyshortcuts="ArrowLeft K"
        onClick={goBack}
      >
        Previous
      </Button>
      <Button
        {...stepProps(canGoOn)}
        rightSection={isLoading ? <Loader size={16} /> : <IconChevronRight size={16} aria-hidden="true" />}
        aria-keyshortcuts="ArrowRight J"
        onClick={goOn}
      >
        Next
      </Button>
      <p className={classes.position} role="status">
        {position !== null && (
          <>
            <span className="visually-hidden">{payment?.backerName}, </span>
            {formatNumber(position)}
            {total !== undefined && position <= total && ` of ${formatNumber(total)}`}
          </>
        )}
      </p>
      <p className={classes.keys} aria-hidden="true">
        <kbd>←</kbd> <kbd>→</kbd> or <kbd>K</kbd> <kbd>J</kbd>
      </p>
    </div>
  );
}

/** At an end of the list, and while its next page is on the way, a button keeps the keyboard. */
const stepProps = (isPossible: boolean) =>
  ({
    variant: "default",
    size: "sm",
    "aria-disabled": !isPossible,
    "data-disabled": !isPossible || undefined,
  }) as const;

/**
 * Returns true if the keys lead on: in the dialog itself, while no form is open in it and nothing with the keyboard
 * scrolls sideways.
 */
function isFree({ target }: KeyboardEvent, bar: HTMLElement | null): boolean {
  const dialog = bar?.closest("[role=dialog]");
  if (!dialog || !(target instanceof HTMLElement) || dialog.querySelector("form")) return false;
  if (target !== document.body && !dialog.contains(target)) return false;
  const area = target.closest("section[tabindex]");
  return area === null || area.scrollWidth <= area.clientWidth;
}
