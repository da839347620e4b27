import { Modal } from "@mantine/core";
import { type Decision, DecisionForm, decisionTitle } from "./decision-form.tsx";
import type { SetStatus } from "./use-set-status.ts";

type DecisionDialogProps = { decision: Decision | null; update: SetStatus; onClose: () => void };

/** Confirms a status chosen in the table. */
export default function DecisionDialog({ decision, update, onClose }: DecisionDialogProps) {
  return (
    <Modal
      opened={decision !== null}
      onClose={update.isPending ? () => undefined : onClose}
      title={decision && decisionTitle(decision)}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {decision && <DecisionForm decision={decision} update={update} onClose={onClose} onCancel={onClose} />}
    </Modal>
  );
}
