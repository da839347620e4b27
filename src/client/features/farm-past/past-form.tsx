import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { EvidenceFiles, useEvidenceFiles } from "#client/shared-parts/evidence-files.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type EnterPastInput, pastForm } from "#shared/farm-past/inputs.ts";
import { farmPastLimits as limits, farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { unitLabels, units } from "#shared/projects/terms-texts.ts";

import classes from "./farm-past.module.css";

export type EnterPast = (told: Omit<EnterPastInput, "farmId">) => Promise<unknown>;

type PastFormProps = { enter: EnterPast; isOpen: boolean; onClose: () => void };

const unitChoices = [
  { value: "", label: "No figures" },
  ...units.map((unit) => ({ value: unit, label: unitLabels[unit].many })),
];

/** Asks for one earlier time of a farm, with its evidence. A press beside it doesn't close it: what was typed stays. */
export default function PastForm({ enter, isOpen, onClose }: PastFormProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Tell of earlier years"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <PastFields enter={enter} onClose={onClose} />
    </Modal>
  );
}

const initialValues = {
  fromYear: "" as number | string,
  toYear: "" as number | string,
  farmed: "",
  outcome: "",
  unit: "",
  planned: "",
  harvested: "",
  paidBy: "",
  evidence: "",
};

const noFigures = { unit: null, planned: "", harvested: "" };

/**
 * A field that holds nothing yet is refused by the schema, here and on the server. Figures without a unit aren't shown,
 * nor sent.
 */
const toInput = (values: typeof initialValues) =>
  ({ ...values, ...(values.unit === "" && noFigures) }) as Omit<EnterPastInput, "farmId" | "fileIds">;

function PastFields({ enter, onClose }: Omit<PastFormProps, "isOpen">) {
  const [isPending, setIsPending] = useState(false);
  const [fileFault, setFileFault] = useState<string | null>(null);
  const files = useEvidenceFiles({ address: "/uploads/harvest-evidence", most: limits.files, many: texts.filesMany });
  const form = useForm({ initialValues, validate: (values) => faultsOf(pastForm, toInput(values)) });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const focus = (name: string | undefined) => name && form.getInputNode(name)?.focus();
  const checkFiles = () => {
    const fault = files.findFault(texts.filesMissing);
    setFileFault(fault);
    return fault === null;
  };
  const send = async (values: typeof initialValues) => {
    if (!checkFiles() || isPending || files.isSending) return;
    setIsPending(true);
    forgetProblem();
    try {
      await enter({ ...toInput(values), fileIds: files.listFileIds() });
      toast.success(texts.entered);
      onClose();
    } catch (error) {
      files.resendRefused(error);
      const field = refuse(error);
      if (field === "fileIds") setFileFault(texts.uploadAgain);
      else focus(field);
    }
    setIsPending(false);
  };
  const submit = form.onSubmit(
    (values) => void send(values),
    (faults) => {
      checkFiles();
      focus(Object.keys(faults)[0]);
    },
  );
  const year = { allowNegative: false, allowDecimal: false, hideControls: true, autoComplete: "off" } as const;
  const { unit } = form.values;
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <div className={classes.pair}>
        <NumberInput
          label="First year"
          placeholder="2019"
          data-autofocus
          {...year}
          {...form.getInputProps("fromYear")}
        />
        <NumberInput label="Last year" placeholder="2021" {...year} {...form.getInputProps("toYear")} />
      </div>
      <TextInput label="What was farmed" placeholder="600 layers in two houses" {...form.getInputProps("farmed")} />
      <Textarea
        label="What came of it"
        description="Plain words: what went well, and what didn't."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.outcome.max}
        {...form.getInputProps("outcome")}
      />
      <NativeSelect label="Figures in" data={unitChoices} {...form.getInputProps("unit")} />
      {unit !== "" && (
        <div className={classes.pair}>
          <TextInput label="Planned" inputMode="decimal" autoComplete="off" {...form.getInputProps("planned")} />
          <TextInput label="Harvested" inputMode="decimal" autoComplete="off" {...form.getInputProps("harvested")} />
        </div>
      )}
      <TextInput label="Who paid for it" placeholder="Our own savings" {...form.getInputProps("paidBy")} />
      <TextInput
        label="What the evidence is"
        description="Backers read this line, and don't see the files."
        placeholder="Delivery notes of two shops, 2020"
        {...form.getInputProps("evidence")}
      />
      {fileFault && <Notice tone="negative" isAlert title={fileFault} />}
      <EvidenceFiles
        label="Photos or documents"
        hint={texts.filesPrivate}
        listLabel="Evidence"
        files={files}
        disabled={isPending}
      />
      <ButtonRow>
        <Button type="submit" loading={isPending} disabled={files.isSending}>
          {files.isSending ? "Sending the files…" : "Enter"}
        </Button>
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
