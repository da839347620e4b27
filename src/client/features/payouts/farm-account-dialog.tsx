import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

type FarmAccountDialogProps = { title: string; onClose: () => void; children: ReactNode };

/** Where the money of a farm goes whose project was deleted, and with it the page that would say so. */
export default function FarmAccountDialog({ title, onClose, children }: FarmAccountDialogProps) {
  return (
    <Modal opened onClose={onClose} title={`The account of ${title}`} closeButtonProps={{ "aria-label": "Close" }}>
      {children}
    </Modal>
  );
}
