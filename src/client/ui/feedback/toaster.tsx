import { IconAlertCircle, IconCircleCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import iconButton from "#client/ui/layout/icon-button.module.css";
import classes from "./toaster.module.css";

const icons = { success: IconCircleCheck, error: IconAlertCircle, info: IconInfoCircle };

type ToasterProps = {
  toast: { id: number; kind: "success" | "error" | "info"; title: string; message?: string } | null;
  durationMs: number;
  onDismiss: (id: number) => void;
};

/**
 * Shows one toast for `durationMs`; pointing at it or focusing in it holds the clock. Both live regions are always in
 * the page, since readers miss a region that comes together with its text: errors interrupt, the rest waits.
 */
export function Toaster({ toast, durationMs, onDismiss }: ToasterProps) {
  const [heldId, setHeldId] = useState<number | null>(null);
  const id = toast?.id;
  const isHeld = id === heldId;
  useEffect(() => {
    if (id === undefined || isHeld) return;
    const timer = setTimeout(() => onDismiss(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, durationMs, onDismiss]);

  const Icon = toast ? icons[toast.kind] : null;
  const card = toast && Icon && (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing only holds the clock, it does nothing.
    <div
      key={toast.id}
      className={classes.toast}
      data-kind={toast.kind}
      onMouseEnter={() => setHeldId(toast.id)}
      onMouseLeave={() => setHeldId(null)}
      onFocus={() => setHeldId(toast.id)}
      onBlur={() => setHeldId(null)}
    >
      <Icon className={classes.icon} size={22} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.title}>{toast.title}</p>
        {toast.message && <p className={classes.message}>{toast.message}</p>}
      </div>
      <button
        type="button"
        className={`${iconButton.button} ${classes.close}`}
        aria-label="Dismiss message"
        onClick={() => onDismiss(toast.id)}
      >
        <IconX size={18} aria-hidden="true" />
      </button>
    </div>
  );
  return (
    <div className={classes.place}>
      <div role="status">{toast?.kind !== "error" && card}</div>
      <div role="alert">{toast?.kind === "error" && card}</div>
    </div>
  );
}
