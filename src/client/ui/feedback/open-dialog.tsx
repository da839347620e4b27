import "#client/ui/mantine/overlays.css";
import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { ownEscape } from "./own-escape.ts";

/** A dialog that is open as long as it is on the page. The keyboard goes back to what opened it. */
export function OpenDialog(props: Omit<ModalProps, "opened">) {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
    [opener],
  );
  return <Modal opened closeButtonProps={{ "aria-label": "Close" }} {...ownEscape(props.onClose)} {...props} />;
}
