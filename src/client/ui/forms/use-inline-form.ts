import { useCallback, useRef, useState } from "react";

/** A form that opens in the place of its button. The keyboard is on the button again once the form has gone. */
export function useInlineForm() {
  const [isOpen, setIsOpen] = useState(false);
  const wasOpen = useRef(false);
  const opener = useCallback((button: HTMLButtonElement | null) => {
    if (!button || !wasOpen.current) return;
    wasOpen.current = false;
    button.focus();
  }, []);
  const open = () => {
    wasOpen.current = true;
    setIsOpen(true);
  };
  return { isOpen, open, close: () => setIsOpen(false), opener };
}
