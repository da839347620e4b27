import { useCallback, useRef } from "react";

/** After `moveOn`, the keyboard goes on at the element with the ref `next` that comes then: the pressed button has gone. */
export function useFocusNext() {
  const isDue = useRef(false);
  const next = useCallback((element: HTMLElement | null) => {
    if (!element || !isDue.current) return;
    isDue.current = false;
    element.focus();
  }, []);
  const moveOn = () => {
    isDue.current = true;
  };
  return { next, moveOn };
}
