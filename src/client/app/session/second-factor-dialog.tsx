import { Button, Modal, Text } from "@mantine/core";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";

type SecondFactorDialogProps = { isOpen: boolean; onStay: () => void; onLeave: () => void };

/** Asks before a page is left on which something was typed. */
export default function SecondFactorDialog({ isOpen, onStay, onLeave }: SecondFactorDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onStay}
      title={twoFactorTexts.requiredTitle}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Text mb="sm">{twoFactorTexts.requiredNow}</Text>
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
