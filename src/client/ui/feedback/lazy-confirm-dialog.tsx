import { Suspense, useEffect, useState } from "react";
import type { ConfirmDialogProps } from "./confirm-dialog.tsx";
import { lazyDialog } from "./lazy-part.tsx";

const Dialog = lazyDialog(() => import("./confirm-dialog.tsx"));

/** The confirm dialog, whose code (Mantine's Modal) is fetched when it first opens. */
export function LazyConfirmDialog(props: ConfirmDialogProps) {
  const [wasOpened, setWasOpened] = useState(props.opened);
  useEffect(() => {
    if (props.opened) setWasOpened(true);
  }, [props.opened]);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
