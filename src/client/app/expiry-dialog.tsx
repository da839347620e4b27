import { Button, Modal, Text } from "@mantine/core";
import { ButtonRow } from "#client/ui/button-row.tsx";

type ExpiryDialogProps = { opened: boolean; text: string; onStay: () => void; onSignOut: () => void };

/** The warning before a session ends. Whoever puts it away is there, and stays. */
export default function ExpiryDialog({ opened, text, onStay, onSignOut }: ExpiryDialogProps) {
  return (
    <Modal opened={opened} onClose={onStay} title="Session Expiring Soon" closeButtonProps={{ "aria-label": "Close" }}>
      <Text mb="lg">{text}</Text>
      <ButtonRow>
        <Button onClick={onStay} data-autofocus>
          Stay signed in
        </Button>
        <Button variant="default" onClick={onSignOut}>
          Log Out
        </Button>
      </ButtonRow>
    </Modal>
  );
}
