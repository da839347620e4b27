import { Button, Modal, Text } from "@mantine/core";
import { useSignOut } from "#client/lib/session/session.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";

type SessionEndDialogProps = { isOpen: boolean; text: string; onClose: () => void };

/** The warning before an end that can't be put off: no button promises to stay. */
export default function SessionEndDialog({ isOpen, text, onClose }: SessionEndDialogProps) {
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
