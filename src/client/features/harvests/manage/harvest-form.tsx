import "#client/ui/mantine/fields.css";
import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterInputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { createInsuranceInput, harvestForm } from "#shared/harvests/inputs.ts";
import { percentOfPlan } from "#shared/harvests/plan.ts";
import { harvestTexts, harvestLimits as limits } from "#shared/harvests/texts.ts";
import { koboToNairaText } from "#shared/money.ts";
import { parseQuantity } from "#shared/projects/terms.ts";
import { formatQuantity, quantityText, type Unit, unitLabels } from "#shared/projects/terms-texts.ts";
import { DialogFields, FormDialog, useDialogForm } from "./form-dialog.tsx";
import {
  type HarvestFacts,
  type HarvestRound,
  isShortHarvest,
  nameOf,
  type PlannedRound,
  useRefetchHarvests,
} from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

type NewHarvestInput = RouterInputs["harvests"]["create"];
/** By whose right a harvest is entered: an administrator's or a keeper's. */
export type HarvestCalls = {
  create: (input: NewHarvestInput) => Promise<unknown>;
  update: (input: RouterInputs["harvests"]["update"]) => Promise<unknown>;
  /** The sentence about what follows the draft, for the person who enters it. */
  draftHint: string;
};

type NewProps = { projectId: number; rounds: PlannedRound[]; calls: HarvestCalls; onClose: () => void };

export function NewHarvest({ opened, ...props }: NewProps & { opened: boolean }) {
  return (
    <FormDialog opened={opened} title="New harvest" onClose={props.onClose}>
      <HarvestFields {...props} />
    </FormDialog>
  );
}

type EditProps = {
  harvest: HarvestFacts;
  round: PlannedRound;
  calls: HarvestCalls;
  opened: boolean;
  onClose: () => void;
};

export function EditHarvest({ opened, harvest, round, ...props }: EditProps) {
  return (
    <FormDialog opened={opened} title={`Edit ${nameOf(harvest)}`} onClose={props.onClose}>
      <HarvestFields projectId={harvest.projectId} rounds={[round]} harvest={harvest} {...props} />
    </FormDialog>
  );
}

/** The calls of an administrator. */
export function useManagedHarvests(): HarvestCalls {
  const create = trpc.harvests.create.useMutation();
  const update = trpc.harvests.update.useMutation();
  return {
    create: create.mutateAsync,
    update: update.mutateAsync,
    draftHint: "It is a draft at first: backers see it when you open it for choosing.",
  };
}

const roundChoices = (rounds: readonly Pick<HarvestRound, "round">[]) =>
  rounds.map(({ round }) => ({ value: String(round), label: `Round ${round}` }));

/** Returns the chosen round, else the newest. */
function roundOf<Round extends Pick<HarvestRound, "round">>(rounds: readonly Round[], chosen: string): Round {
  const round = rounds.find((one) => String(one.round) === chosen) ?? rounds[0];
  if (!round) throw new Error("a form of harvests without a round");
  return round;
}

/** The fields of a harvest. A note that is due is asked for here already, and not only by the server. */
function HarvestFields({ projectId, rounds, harvest, calls, onClose }: NewProps & { harvest?: HarvestFacts }) {
  const refetch = useRefetchHarvests();
  // Of the moment at which the form was opened: who changes it meanwhile isn't overwritten.
  const [seenAt] = useState(harvest?.updatedAt);
  const first = roundOf(rounds, "");
  const price = harvest ? harvest.referencePriceKobo : first.plannedPriceKobo;
  const plannedOf = (chosen: string) => (harvest ? harvest.planned : roundOf(rounds, chosen).nextPlanned);
  const sent = useDialogForm({
    initialValues: {
      round: String(first.round),
      quantity: harvest?.quantity == null ? "" : quantityText(harvest.quantity),
      lostQuantity: quantityText(harvest?.lostQuantity ?? 0n),
      referencePrice: price === null ? "" : koboToNairaText(price),
      note: harvest?.note ?? "",
    },
    check: (values) => {
      const faults = faultsOf(harvestForm, values);
      const isNoteDue = isShortHarvest({ quantity: parseQuantity(values.quantity), planned: plannedOf(values.round) });
      if (isNoteDue && values.note.trim().length < limits.noteMin) faults.note ??= harvestTexts.shortNote;
      return faults;
    },
    send: async ({ round, ...values }) => {
      if (harvest && seenAt) await calls.update({ ...values, harvestId: harvest.id, seenAt });
      else await calls.create({ ...values, projectId, round: Number(round) });
      toast.success(harvest ? texts.updated : texts.created);
      onClose();
      await refetch();
    },
  });
  const { form } = sent;
  const round = roundOf(rounds, form.values.round);
  const unit = unitLabels[round.unit];
  const planned = plannedOf(form.values.round);
  const isNoteDue = isShortHarvest({ quantity: parseQuantity(form.values.quantity), planned });
  return (
    <DialogFields sent={sent} submitLabel={harvest ? "Save" : "Enter harvest"} onCancel={onClose}>
      {!harvest && <p>{calls.draftHint}</p>}
      {rounds.length > 1 && <NativeSelect label="Round" data={roundChoices(rounds)} {...form.getInputProps("round")} />}
      <TextInput
        label={`Quantity, in ${unit.many}`}
        description="What was harvested, without what was lost"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("quantity")}
      />
      <PlanHint typed={form.values.quantity} planned={planned} unit={round.unit} />
      <TextInput
        label={`Lost before, in ${unit.many}`}
        description="It isn't shared; 0 if nothing was lost"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps("lostQuantity")}
      />
      <TextInput
        label={`Price used for estimates, for one ${unit.one}`}
        description="By which backers estimate what a sale would bring"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps("referencePrice")}
      />
      <Textarea
        label="Note"
        description={
          isNoteDue
            ? "Why it is less than planned. Everybody reads it, in the farm's record."
            : "Optional. Backers read it."
        }
        required={isNoteDue}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.noteMax}
        {...form.getInputProps("note")}
      />
    </DialogFields>
  );
}

/** How much of the plan it is, while it is typed. */
function PlanHint({ typed, planned, unit }: { typed: string; planned: bigint | null; unit: Unit }) {
  const quantity = parseQuantity(typed);
  const percent = quantity === null ? null : percentOfPlan(quantity, planned);
  return (
    <div role="status">
      {quantity === 0n ? (
        <Notice tone="caution" title="Nothing was harvested">
          <p>Enter it, add a photo or a document, then an owner declares it as lost. A second owner confirms it.</p>
        </Notice>
      ) : (
        percent !== null &&
        planned !== null && (
          <>
            <p className={classes.hint}>
              {percent}% of the plan of {formatQuantity(planned, unit)}
            </p>
            {isShortHarvest({ quantity, planned }) && (
              <Notice tone="caution" title="Less than 90% of the plan">
                <p>Please say why in the note. A photo is needed too before backers can choose.</p>
              </Notice>
            )}
          </>
        )
      )}
    </div>
  );
}

type NewInsuranceProps = { projectId: number; rounds: HarvestRound[]; onClose: () => void };

export function NewInsurance({ opened, ...props }: NewInsuranceProps & { opened: boolean }) {
  return (
    <FormDialog opened={opened} title="New insurance sum" onClose={props.onClose}>
      <InsuranceFields {...props} />
    </FormDialog>
  );
}

const insuranceForm = createInsuranceInput.pick({ note: true });

function InsuranceFields({ projectId, rounds, onClose }: NewInsuranceProps) {
  const refetch = useRefetchHarvests();
  const create = trpc.harvests.createInsurance.useMutation();
  const sent = useDialogForm({
    initialValues: { round: String(roundOf(rounds, "").round), note: "" },
    check: (values) => faultsOf(insuranceForm, values),
    send: async ({ round, note }) => {
      await create.mutateAsync({ projectId, round: Number(round), note });
      toast.success(texts.insuranceCreated);
      onClose();
      await refetch();
    },
  });
  const { form } = sent;
  const { insurance } = roundOf(rounds, form.values.round);
  return (
    <DialogFields sent={sent} submitLabel="Enter insurance sum" onCancel={onClose}>
      <p>
        What an insurer pays for a round. It has no quantity and no fee, and is divided among the backers by what they
        paid. Next you enter the insurer and the sum as a sale.
      </p>
      {rounds.length > 1 && <NativeSelect label="Round" data={roundChoices(rounds)} {...form.getInputProps("round")} />}
      <p className={classes.hint}>
        {insurance
          ? `Insured with ${insurance.insurer}, policy ${insurance.policy}. ${insurance.covers}`
          : "The terms of this round name no insurance."}
      </p>
      <Textarea
        label="Note"
        description="What it is paid for. Backers read it."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.noteMax}
        data-autofocus
        {...form.getInputProps("note")}
      />
    </DialogFields>
  );
}
