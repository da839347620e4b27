import type { ReactNode } from "react";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";

type FarmAccountDialogProps = { farm: string; onClose: () => void; children: ReactNode };

/** Where the money of a farm goes that nobody gave the account of. */
export default function FarmAccountDialog({ farm, onClose, children }: FarmAccountDialogProps) {
  return (
    <OpenDialog onClose={onClose} title={`The account of ${farm}`}>
      <p>{farmReleaseTexts.accountOf(farm)}</p>
      {children}
    </OpenDialog>
  );
}
