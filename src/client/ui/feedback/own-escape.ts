import type { FocusEvent, KeyboardEvent } from "react";

/** Props for a dialog or a form that may lie in another dialog: Escape closes it alone, where Mantine would close both. */
export const ownEscape = (close: () => void) => ({
  onFocusCapture: ({ target }: FocusEvent<HTMLElement>) => target.setAttribute("data-mantine-stop-propagation", "true"),
  onKeyDown: ({ key }: KeyboardEvent) => {
    if (key === "Escape") close();
  },
});
