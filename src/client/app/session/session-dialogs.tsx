import "#client/ui/mantine/overlays.css";
import { Button, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { useSignOut } from "#client/lib/session/session.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { secondFactorRequired } from "#shared/accounts/sessions.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";

/**
 * How long the dialog outlives the first sign of a person: a tap on its button must not fall through to the page
 * below, and what closes by itself is to be seen closing.
 */
const CLOSE_AFTER_MS = 1000;

/** `staying`: the server is asked for more time. `leaving`: somebody is there again, so it goes by itself. */
export type ExpiryDialogState = "closed" | "open" | "staying" | "leaving";
export type ExpiryDialogProps = { state: ExpiryDialogState; text: string; onStay: () => void; onClose: () => void };

/** The warning before a session ends. Whoever puts it away is there, and stays: it goes once the server knows. */
export function ExpiryDialog({ state, text, onStay, onClose }: ExpiryDialogProps) {
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

export type SessionEndDialogProps = { isOpen: boolean; text: string; onClose: () => void };

/** The warning before an end that can't be put off: no button promises to stay. */
export function SessionEndDialog({ isOpen, text, onClose }: SessionEndDialogProps) {
  const { signOut } = useSignOut();
  const leave = () => {
    onClose();
    signOut();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Session Expiring Soon" closeButtonProps={{ "aria-label": "Close" }}>
      <Text mb="lg">{text}</Text>
      <ButtonRow>
        <Button onClick={onClose} data-autofocus>
          Go on to save my work
        </Button>
        <Button variant="default" onClick={leave}>
          Log Out
        </Button>
      </ButtonRow>
    </Modal>
  );
}

export type SecondFactorDialogProps = { isOpen: boolean; onStay: () => void; onLeave: () => void };

/** Asks before a page is left on which something was typed. */
export function SecondFactorDialog({ isOpen, onStay, onLeave }: SecondFactorDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onStay}
      title={secondFactorRequired.title}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Text mb="sm">{secondFactorRequired.now}</Text>
      <Text mb="lg">{twoFactorTexts.copyFirst}</Text>
      <ButtonRow>
        <Button onClick={onLeave}>Set it up now</Button>
        <Button variant="default" onClick={onStay} data-autofocus>
          Stay on this page
        </Button>
      </ButtonRow>
    </Modal>
  );
}
