import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { EvidenceField, useEvidence } from "#client/shared-parts/evidence.tsx";
import "#client/ui/mantine/fields.css";
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { faultsOf } from "#client/lib/faults.ts";
import { trpc } from "#client/lib/trpc.ts";
import { formatNaira } from "#shared/money.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { DialogFields, useDialogForm } from "./form-dialog.tsx";
import type { Harvest } from "./harvest-data.ts";
import { EvidenceLink } from "./harvest-files.tsx";

type DeclareSaleProps = { harvest: Harvest; sale: Harvest["sales"][number]; onClose: () => void };

/** Asks another owner to confirm that the missing money of a sale came, which no line of a statement shows. */
export function DeclareSale({ harvest, sale, onClose }: DeclareSaleProps) {
  const { id: saleId, amountKobo, matchedKobo } = sale;
  const utils = trpc.useUtils();
  const evidence = useEvidence("/uploads/harvest-evidence");
  const kept = harvest.files.find((file) => file.saleId === saleId);
  // The list that names it may come after the refusal of what follows.
  const [isKept, setIsKept] = useState(kept !== undefined);
  const keep = trpc.harvests.addFile.useMutation();
  const ask = useAskSecondPerson(() => utils.harvests.invalidate());
  const missingKobo = amountKobo - matchedKobo;
  const sent = useDialogForm({
    initialValues: { reason: "" },
    check: (values) => {
      const fileId = isKept ? null : evidence.check();
      return { ...(fileId && { fileId }), ...faultsOf(reasonInput, values) };
    },
    send: async ({ reason }) => {
      if (!isKept) await evidence.send((fileId) => keep.mutateAsync({ harvestId: harvest.id, saleId, fileId }));
      setIsKept(true);
      const details = { saleId, amountKobo: String(missingKobo) };
      await ask.mutateAsync({ kind: "declare_sale", details, reason });
      onClose();
    },
  });
  const { form } = sent;
  return (
    <DialogFields
      sent={sent}
      submitLabel="Send to another owner"
      isSendingFile={evidence.share !== null}
      onCancel={onClose}
    >
      <p>
        For {formatNaira(missingKobo)} that came and that no line of a statement shows. Nothing happens before another
        owner confirms. Then it is settled as if it were in the bank.
      </p>
      {isKept ? (
        <p>
          {kept ? <EvidenceLink file={kept} of={`the sale to ${sale.buyer}`} /> : "The evidence"} is kept with the sale.
        </p>
      ) : (
        <EvidenceField label="Evidence" evidence={evidence} refused={form.errors.fileId} />
      )}
      <Textarea
        label="Reason"
        description={`The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={secondPersonLimits.reasonMax}
        {...form.getInputProps("reason")}
      />
    </DialogFields>
  );
}
