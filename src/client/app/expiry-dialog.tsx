import { Button, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { noteActivity } from "#client/lib/idle-timer.ts";
import { useSignOut } from "#client/lib/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/button-row.tsx";

/**
 * How long the dialog outlives the first sign of a person: a tap on its button must not fall through to the page
 * below, and what closes by itself is to be seen closing.
 */
const CLOSE_AFTER_MS = 1000;

/** `leaving`: somebody is there again, so it goes by itself. */
export type ExpiryDialogState = "closed" | "open" | "leaving";
type ExpiryDialogProps = { state: ExpiryDialogState; text: string; onClose: () => void };

/** The warning before a session ends. Whoever puts it away is there, and stays. */
export default function ExpiryDialog({ state, text, onClose }: ExpiryDialogProps) {
  const { signOut } = useSignOut();
  const touch = trpc.auth.touch.useMutation({
    onError: (error) => {
      // Any other refusal leads out by itself.
      if (errorReason(error) === "network") toast.error("You may be signed out soon", errorText(error));
    },
  });
  useEffect(() => {
    if (state !== "leaving") return;
    const timer = setTimeout(onClose, CLOSE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state, onClose]);

  const stay = () => {
    noteActivity();
    touch.mutate();
    onClose();
  };
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
        <Button onClick={stay} data-autofocus>
          Stay signed in
        </Button>
        <Button variant="default" onClick={leave}>
          Log Out
        </Button>
      </ButtonRow>
    </Modal>
  );
}
