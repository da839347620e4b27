import { Button, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { useSignOut } from "#client/lib/session/session.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";

/**
 * How long the dialog outlives the first sign of a person: a tap on its button must not fall through to the page
 * below, and what closes by itself is to be seen closing.
 */
const CLOSE_AFTER_MS = 1000;

/** `staying`: the server is asked for more time. `leaving`: somebody is there again, so it goes by itself. */
export type ExpiryDialogState = "closed" | "open" | "staying" | "leaving";
type ExpiryDialogProps = { state: ExpiryDialogState; text: string; onStay: () => void; onClose: () => void };

/** The warning before a session ends. Whoever puts it away is there, and stays: it goes once the server knows. */
export default function ExpiryDialog({ state, text, onStay, onClose }: ExpiryDialogProps) {
  const { signOut } = useSignOut();
  useEffect(() => {
    if (state !== "leaving") return;
    const timer = setTimeout(onClose, CLOSE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state, onClose]);

  const stay = state === "leaving" ? onClose : onStay;
  const leave = () => {
    onClose();
    signOut();
  };
  return (
    <Modal
      opened={state !== "closed"}
      onClose={stay}
      title="Session Expiring Soon"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Text mb="lg">{text}</Text>
      <ButtonRow>
        <Button onClick={stay} loading={state === "staying"} data-autofocus>
          Stay signed in
        </Button>
        <Button variant="default" onClick={leave}>
          Log Out
        </Button>
      </ButtonRow>
    </Modal>
  );
}
