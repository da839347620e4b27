import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { ProofForm, type ProofFormProps } from "#client/shared-parts/own-proof.tsx";

/** Asks before something that only the account's person may do. Screens fetch it on first use. */
export default function ProofDialog({ opened, title, ...form }: ProofFormProps & { opened: boolean; title: string }) {
  return (
    <Modal opened={opened} onClose={form.onCancel} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <ProofForm {...form} />
    </Modal>
  );
}
