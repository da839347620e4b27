import "#client/ui/mantine/overlays.css";
import { Button, Group, Modal, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";

import { ownEscape } from "./own-escape.ts";

export type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** The reason why it can't be done now: it replaces the question and its button. */
  refusal?: string | null;
  /** Red button, for what can't be taken back. */
  isDangerous?: boolean;
  isPending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** It has gone from the screen. With it the focus goes where this says; else back to where it was. */
  onClosed?: () => void;
};

/** Asks before something that matters. Screens use LazyConfirmDialog, which fetches it on first use. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, confirmLabel, refusal = null, isDangerous, isPending = false } = props;
  const { children, cancelLabel = refusal === null ? "Cancel" : "Close" } = props;
  // Mantine returns the keyboard only where the dialog was there, closed, before it opened.
  const [isShown, setIsShown] = useState(false);
  useEffect(() => setIsShown(opened), [opened]);
  const close = isPending ? () => undefined : props.onClose;
  return (
    <Modal
      opened={opened && isShown}
      onClose={close}
      title={title}
      closeButtonProps={{ "aria-label": "Close" }}
      {...ownEscape(close)}
      {...(props.onClosed && { onExitTransitionEnd: props.onClosed, returnFocus: false })}
    >
      <Text component="div" mb="lg">
        {refusal ?? children}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={close} disabled={isPending} data-autofocus={isDangerous || undefined}>
          {cancelLabel}
        </Button>
        {refusal === null && (
          <Button color={isDangerous ? "red" : undefined} loading={isPending} onClick={props.onConfirm}>
            {confirmLabel}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
