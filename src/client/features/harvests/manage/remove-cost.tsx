import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { useRefetchHarvests } from "./harvest-data.ts";

/** Taking a cost back, for administrators and for the keeper who entered it. */

type Cost = { id: number; label: string; amountKobo: Kobo };

export const nameOfCost = ({ label, amountKobo }: Cost) => `${label}, ${formatNaira(amountKobo)}`;

export function RemoveButton<Row extends Cost>({ cost, onRemove }: { cost: Row; onRemove: (cost: Row) => void }) {
  return (
    <Button variant="default" size="sm" aria-label={`Remove ${nameOfCost(cost)}`} onClick={() => onRemove(cost)}>
      Remove
    </Button>
  );
}

type RemoveCostProps = {
  cost: Cost | null;
  remove: (input: { costId: number }) => Promise<unknown>;
  onClose: () => void;
};

export function RemoveCost({ cost, remove, onClose }: RemoveCostProps) {
  const refetch = useRefetchHarvests();
  const [isPending, setIsPending] = useState(false);
  const confirm = async ({ id }: Cost) => {
    setIsPending(true);
    await remove({ costId: id }).then(
      () => toast.success(texts.costRemoved),
      (error) => toast.error(texts.costRemoveFailed, errorText(error)),
    );
    setIsPending(false);
    onClose();
    await refetch();
  };
  return (
    <LazyConfirmDialog
      opened={cost !== null}
      title="Remove this cost?"
      confirmLabel="Remove"
      isDangerous
      isPending={isPending}
      onConfirm={() => cost && void confirm(cost)}
      onClose={onClose}
    >
      {cost && `${nameOfCost(cost)}, doesn't come off the sales any more.`}
    </LazyConfirmDialog>
  );
}
