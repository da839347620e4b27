import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type Kobo, koboToNairaText } from "#shared/money.ts";
import { weightForm } from "#shared/projects/backings.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./backings.module.css";

type Weight = { round: number; weightKobo: Kobo };
export type Weighed = { userId: string; fullName: string; weights: Weight[] };

type Props = { projectId: number; rounds: number[]; backer: Weighed; onClose: () => void; onSaved: () => void };

/**
 * Asks an owner for the part that a granted backing has in the harvests of a round, and why; another owner confirms it.
 * The newest round comes first.
 */
export default function WeightDialog({ projectId, rounds, backer, onClose, onSaved }: Props) {
  const { userId, fullName, weights } = backer;
  const [round, setRound] = useState(rounds[0] ?? 1);
  const seenOf = (one: number) => weights.find((kept) => kept.round === one)?.weightKobo ?? 0n;
  const keptOf = (one: number) => (seenOf(one) > 0n ? koboToNairaText(seenOf(one)) : "");
  const form = useForm({
    initialValues: { weight: keptOf(round), reason: "" },
    validate: (values) => ({ ...faultsOf(weightForm, { round, ...values }), ...faultsOf(reasonInput, values) }),
  });
  const { problem, refuse } = useRefusal(form, false);
  const ask = useAskSecondPerson(async () => onSaved());
  const send = form.onSubmit(({ weight: typed, reason }) => {
    const weightKobo = weightForm.shape.weight.parse(typed) ?? 0n;
    const part = { weightKobo: String(weightKobo), seenKobo: String(seenOf(round)) };
    ask.mutate(
      { kind: "set_weight", details: { projectId, userId, round, ...part }, reason },
      {
        onSuccess: onClose,
        onError: (error) => {
          refuse(error);
          toast.error(backingTexts.weightFailed);
        },
      },
    );
  });
  return (
    <OpenDialog onClose={ask.isPending ? () => undefined : onClose} title={`Part of ${fullName} in the harvest`}>
      <form className={classes.weightForm} noValidate onSubmit={send}>
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <p>
          This backing was added by hand and has no lots. With a weight it counts in a harvest as lots of that amount
          would. Nothing happens before another owner confirms it.
        </p>
        {rounds.length > 1 && (
          <NativeSelect
            label="Round"
            description="It counts in the harvests of this round"
            data={rounds.map((one) => ({ value: String(one), label: `Round ${one}` }))}
            value={String(round)}
            onChange={({ currentTarget }) => {
              const chosen = Number(currentTarget.value);
              setRound(chosen);
              form.setFieldValue("weight", keptOf(chosen));
              form.clearErrors();
            }}
          />
        )}
        <TextInput
          label="Weight in naira"
          description="Empty for no part in the harvest"
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("weight")}
        />
        <Textarea
          label="Reason"
          description={`The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={secondPersonLimits.reasonMax}
          {...form.getInputProps("reason")}
        />
        <ButtonRow>
          <Button type="submit" loading={ask.isPending}>
            Send to another owner
          </Button>
          <Button variant="default" disabled={ask.isPending} onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </OpenDialog>
  );
}
