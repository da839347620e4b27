import type { ReactNode } from "react";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";

type FarmAccountDialogProps = { title: string; onClose: () => void; children: ReactNode };

/** Where the money of a farm goes whose project was deleted, and with it the page that would say so. */
export default function FarmAccountDialog({ title, onClose, children }: FarmAccountDialogProps) {
  return (
    <OpenDialog onClose={onClose} title={`The account of ${title}`}>
      {children}
    </OpenDialog>
  );
}
