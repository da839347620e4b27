import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { setWeightInput } from "#shared/backings.ts";
import { backingTexts } from "#shared/backings-texts.ts";
import { type Kobo, koboToNairaText } from "#shared/money.ts";
import classes from "./backings.module.css";

type Weight = { round: number; weightKobo: Kobo; reason: string };
export type Weighed = { userId: string; fullName: string; weights: Weight[] };

type Props = { projectId: number; rounds: number[]; backer: Weighed; onClose: () => void; onSaved: () => void };

/** Asks an owner for the part that a granted backing has in the harvests of a round, and why. The newest round comes first. */
export default function WeightDialog({ projectId, rounds, backer, onClose, onSaved }: Props) {
  const { userId, fullName, weights } = backer;
  const [round, setRound] = useState(rounds[0] ?? 1);
  const keptOf = (one: number) => {
    const weight = weights.find((kept) => kept.round === one);
    return { weight: weight ? koboToNairaText(weight.weightKobo) : "", reason: weight?.reason ?? "" };
  };
  const form = useForm({
    initialValues: keptOf(round),
    validate: (values) => {
      const issues = setWeightInput.safeParse({ projectId, userId, round, ...values }).error?.issues ?? [];
      return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
    },
  });
  const { problem, refuse } = useRefusal(form, false);
  const save = trpc.backings.setWeight.useMutation({
    onSuccess: () => {
      toast.success(backingTexts.weightSaved);
      onClose();
    },
    onError: (error) => {
      refuse(error);
      toast.error(backingTexts.weightFailed);
    },
    onSettled: onSaved,
  });
  return (
    <Modal
      opened
      onClose={save.isPending ? () => undefined : onClose}
      title={`Part of ${fullName} in the harvest`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        className={classes.weightForm}
        noValidate
        onSubmit={form.onSubmit((values) => save.mutate({ projectId, userId, round, ...values }))}
      >
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <p>
          This backing was added by hand and has no lots. With a weight it counts in a harvest as lots of that amount
          would.
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
              form.setValues(keptOf(chosen));
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
          description="For the audit log"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps("reason")}
        />
        <ButtonRow>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" disabled={save.isPending} onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}
