import { type ComponentProps, type ComponentType, useCallback, useEffect, useState } from "react";
import type ExpiryDialog from "./expiry-dialog.tsx";

/**
 * How long the dialog outlives the first sign of a person: a tap on its button must not fall through to the page
 * below, and what closes by itself is to be seen closing.
 */
const CLOSE_AFTER_MS = 1000;

/**
 * Whether the warning stands, and the dialog once its code has come. The code is fetched at the first warning; without a
 * connection the toast alone has warned.
 */
export function useExpiryWarning() {
  const [Dialog, setDialog] = useState<ComponentType<ComponentProps<typeof ExpiryDialog>> | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);

  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => {
      setIsOpen(false);
      setIsLeaving(false);
    }, CLOSE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLeaving]);

  const open = useCallback(() => {
    setIsOpen(true);
    setIsLeaving(false);
    import("./expiry-dialog.tsx").then(
      (module) => setDialog(() => module.default),
      () => {},
    );
  }, []);
  const close = useCallback(() => {
    setIsOpen(false);
    setIsLeaving(false);
  }, []);
  const closeSoon = useCallback(() => setIsLeaving(true), []);
  return { Dialog, isOpen, open, close, closeSoon };
}
