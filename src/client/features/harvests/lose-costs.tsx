import { Button } from "@mantine/core";
import { useContext, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests-admin-texts.ts";
import { formatNaira } from "#shared/money.ts";
import { FocusHome } from "./form-dialog.tsx";
import { type HarvestProps, isWithoutSales, nameOf, sumOf, useLookAgain } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Books what the platform paid for a lost or withdrawn harvest as a loss. Nothing where nothing is left of it. For owners. */
export function LoseCosts({ harvest }: HarvestProps) {
  const lookAgain = useLookAgain();
  const focusHome = useContext(FocusHome);
  const [isAsking, setIsAsking] = useState(false);
  const finish = trpc.harvests.finish.useMutation({
    onSuccess: () => toast.success(texts.costsLost),
    onError: (error) => toast.error(texts.costsLostFailed, errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await lookAgain();
    },
  });
  const { id: harvestId, costs, costsLostAt } = harvest;
  const paidKobo = sumOf(costs.filter(({ paidBy }) => paidBy === "platform").map(({ amountKobo }) => amountKobo));
  if (!isWithoutSales(harvest) || costsLostAt || paidKobo === 0n) return null;
  return (
    <>
      <Button className={classes.action} variant="default" onClick={() => setIsAsking(true)}>
        Book costs as a loss…
      </Button>
      <LazyConfirmDialog
        opened={isAsking}
        title={`Book the costs of ${nameOf(harvest)} as a loss?`}
        confirmLabel="Book as a loss"
        isDangerous
        isPending={finish.isPending}
        onConfirm={() => finish.mutate({ harvestId })}
        onClose={() => setIsAsking(false)}
        onClosed={focusHome}
      >
        The platform paid {formatNaira(paidKobo)}, and no sale will bring it. This can't be undone.
      </LazyConfirmDialog>
    </>
  );
}
