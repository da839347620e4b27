import "#client/ui/mantine/fields.css";
import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { trpc } from "#client/lib/trpc.ts";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { formatNaira, formatNairaExact } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { payeeOf, referenceOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout, Run } from "./payouts-search.ts";

type RefusedFormProps = { run: Run; onWay: readonly Payout[]; onDone: () => void };

/** Asks another owner to confirm that the bank took the file not at all, or without some of its payouts. */
export function RefusedForm({ run, onWay, onDone }: RefusedFormProps) {
  const utils = trpc.useUtils();
  const ask = useAskSecondPerson(() => utils.payouts.invalidate());
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  const refused = onWay.filter(({ id }) => !kept.has(id));
  const total = refused.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  const choose = (id: number, isRefused: boolean) =>
    setKept((before) => new Set(isRefused ? [...before].filter((one) => one !== id) : [...before, id]));
  return (
    <div className={classes.step}>
      <InlineReason
        label="What the bank says"
        description={`At least ${secondPersonLimits.reasonMin} characters. Nothing happens before another owner confirms.`}
        submitLabel="Send to another owner"
        isDangerous
        onSubmit={async (reason) => {
          const payoutIds = refused.map(({ id }) => id);
          await ask.mutateAsync({ kind: "refuse_payouts", details: { runId: run.id, payoutIds }, reason });
          onDone();
        }}
        onCancel={onDone}
      >
        <fieldset className={classes.refused}>
          <legend>Which payouts did the bank not take?</legend>
          {onWay.length > 1 && (
            <Checkbox
              checked={kept.size === 0}
              indeterminate={kept.size > 0 && refused.length > 0}
              label={onWay.length === run.lines.length ? "The whole file" : `All ${onWay.length} that are on their way`}
              onChange={({ currentTarget }) => setKept(new Set(currentTarget.checked ? [] : onWay.map(({ id }) => id)))}
            />
          )}
          {onWay.map((payout) => (
            <Checkbox
              key={payout.id}
              className={onWay.length > 1 ? classes.refusedOne : undefined}
              checked={!kept.has(payout.id)}
              label={
                <>
                  {formatNaira(payout.amountKobo)} for {payeeOf(payout)},{" "}
                  <span className="reference">{referenceOf(payout)}</span>
                </>
              }
              onChange={({ currentTarget }) => choose(payout.id, currentTarget.checked)}
            />
          ))}
        </fieldset>
        <p role="status">
          {texts.refused(refused.length, formatNairaExact(total))} Nobody is told that money came back.{" "}
          {texts.refusedButTaken(refused.length)}
        </p>
      </InlineReason>
    </div>
  );
}
