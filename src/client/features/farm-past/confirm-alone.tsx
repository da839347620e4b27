import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ProofForm } from "#client/shared-parts/own-proof.tsx";
import { Proved } from "#client/shared-parts/proved.tsx";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits as limits, secondPersonTexts } from "#shared/second-person/texts.ts";

type ConfirmAloneProps = { pastId: number; onClose: () => void; onDone: () => Promise<unknown> };

/** The only owner of a site confirms what they entered themselves, with a written reason, the password and a code. */
export default function ConfirmAlone({ pastId, onClose, onDone }: ConfirmAloneProps) {
  const account = trpc.users.account.useQuery();
  const confirm = trpc.farmPast.confirm.useMutation();
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string>();
  return (
    <Modal
      opened
      onClose={onClose}
      title="Confirm what you entered?"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Proved query={account}>
        {(proof) =>
          proof.isCodeAsked ? (
            <ProofForm
              account={proof}
              submitLabel="Confirm"
              onSubmit={async (given) => {
                const missing = faultsOf(reasonInput, { reason }).reason;
                setFault(missing);
                if (missing) return;
                await confirm.mutateAsync({ pastId, reason, ...given });
                toast.success(texts.confirmed);
                onClose();
                await onDone();
              }}
              onCancel={onClose}
            >
              <p>You are the only owner, so your second factor and a written reason take the second person's place.</p>
              <Textarea
                label="Reason"
                description={`At least ${limits.reasonMin} characters, kept with the entry.`}
                autosize
                minRows={2}
                maxRows={6}
                maxLength={limits.reasonMax}
                error={fault}
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
              />
            </ProofForm>
          ) : (
            <p>{secondPersonTexts.needsFactor}</p>
          )
        }
      </Proved>
    </Modal>
  );
}
