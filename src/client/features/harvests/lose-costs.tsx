import { Button } from "@mantine/core";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { formatNaira } from "#shared/money.ts";
import { secondPersonTexts } from "#shared/second-person-texts.ts";
import { ReasonDialog } from "./form-dialog.tsx";
import { type HarvestProps, isWithoutSales, nameOf, sumOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Asks for a second person to book what the platform paid for a lost or withdrawn harvest as a loss. For owners. */
export function LoseCosts({ harvest }: HarvestProps) {
  const utils = trpc.useUtils();
  const { data } = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  const ask = trpc.secondPerson.ask.useMutation({ onSettled: () => utils.secondPerson.list.invalidate() });
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  const { id: harvestId, costs, costsLostAt } = harvest;
  const paidKobo = sumOf(costs.filter(({ paidBy }) => paidBy === "platform").map(({ amountKobo }) => amountKobo));
  const isAsked = data?.requests.some(({ kind, subject }) => kind === "lose_costs" && subject === String(harvestId));
  if (!isWithoutSales(harvest) || costsLostAt || paidKobo === 0n || isAsked) return null;
  return (
    <>
      <Button className={classes.action} variant="default" onClick={() => setIsAsking(true)}>
        Book costs as a loss…
      </Button>
      <ReasonDialog
        opened={isAsking}
        title={`Book the costs of ${nameOf(harvest)} as a loss`}
        description="It stays in the log."
        submitLabel="Ask for a second person"
        onSubmit={async (reason) => {
          await ask.mutateAsync({ kind: "lose_costs", details: { harvestId, amountKobo: String(paidKobo) }, reason });
          toast.success(secondPersonTexts.asked);
          close();
        }}
        onClose={close}
      >
        <p>
          The platform paid {formatNaira(paidKobo)}, and no sale will bring it. Nothing happens before another owner
          confirms.
        </p>
      </ReasonDialog>
    </>
  );
}
