import { useState } from "react";
import { useFocusNext } from "./use-focus-next.ts";

/** A form that opens in the place of its button. The keyboard is on the button again once the form has gone. */
export function useInlineForm() {
  const [isOpen, setIsOpen] = useState(false);
  const { next: opener, moveOn } = useFocusNext();
  const open = () => {
    moveOn();
    setIsOpen(true);
  };
  return { isOpen, open, close: () => setIsOpen(false), opener };
}
