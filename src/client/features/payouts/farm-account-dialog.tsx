import { FarmAccountForm } from "#client/features/payouts/releases/farm-account-form.tsx";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";

type FarmAccountDialogProps = { farm: { farmId: number; name: string }; onClose: () => void };

/** Where the money of a farm goes that nobody gave the account of. */
export default function FarmAccountDialog({ farm, onClose }: FarmAccountDialogProps) {
  return (
    <OpenDialog onClose={onClose} title={`The account of ${farm.name}`}>
      <p>{farmReleaseTexts.accountOf(farm.name)}</p>
      <FarmAccountForm farmId={farm.farmId} onDone={onClose} />
    </OpenDialog>
  );
}
