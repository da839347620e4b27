import { Button } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { ReasonDialog } from "./form-dialog.tsx";
import { type HarvestProps, isLossAsked, isWithoutSales, nameOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/**
 * Lets an owner ask a second one to book costs of the platform as a loss, where no money will cover them. A harvest that was
 * sold ends with that.
 */
export function LoseCosts({ harvest }: Pick<HarvestProps, "harvest">) {
  const { data } = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  const ask = useAskSecondPerson();
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  const { id: harvestId, costsRefusal } = harvest;
  const { ofFarmKobo, lostKobo, unwrittenKobo } = harvest.costsAtEnd;
  const isAsked = isLossAsked(data?.requests, { harvestId, what: "costs" });
  if (costsRefusal !== null) return null;
  if (isAsked) return <Notice tone="waiting" title="A second owner is asked to confirm that its costs are lost." />;
  return (
    <>
      <Button className={classes.action} variant="default" onClick={() => setIsAsking(true)}>
        Book costs as a loss…
      </Button>
      <ReasonDialog
        opened={isAsking}
        title={`Book the costs of ${nameOf(harvest)} as a loss`}
        description="It stays in the log."
        submitLabel="Send to another owner"
        onSubmit={async (reason) => {
          const details = { what: "costs" as const, harvestId, lostKobo: String(lostKobo) };
          await ask.mutateAsync({ kind: "lose", details, reason });
          close();
        }}
        onClose={close}
      >
        {isWithoutSales(harvest) ? (
          <p>
            The platform paid {formatNaira(lostKobo)}, and no sale will bring it. Nothing happens before another owner
            confirms.
          </p>
        ) : (
          <p>
            The platform paid {formatNaira(lostKobo)} that its sales don't bring. Nothing happens before another owner
            confirms. Then that sum is booked as a loss
            {ofFarmKobo > 0n && `, ${formatNaira(ofFarmKobo)} comes off what is still owed to the farm`}, and the
            harvest ends. Its settlements can't be reversed any more.
          </p>
        )}
        {unwrittenKobo > 0n && <p>{harvestTexts.unwrittenIsLost(formatNaira(unwrittenKobo))}</p>}
      </ReasonDialog>
    </>
  );
}
