import { faultsOf } from "#client/lib/faults.ts";
import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { OwnProof, type ProofWanted } from "#client/shared-parts/own-proof.tsx";
import { Proved } from "#client/shared-parts/proved.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ownEscape } from "#client/ui/feedback/own-escape.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { accountTexts } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { formatNairaExact } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits, secondPersonTexts } from "#shared/second-person/texts.ts";
import classes from "./payouts.module.css";
import type { Run } from "./payouts-search.ts";

type ApproveAloneProps = { run: Run; opened: boolean; onClose: () => void };

/** The only owner of a site approves their own run with a written reason, the password and a code. */
export function ApproveAlone({ run, opened, onClose }: ApproveAloneProps) {
  const account = trpc.users.account.useQuery(undefined, { enabled: opened });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Approve ${formatNairaExact(run.totalKobo)} in ${texts.count(run.payouts)}?`}
      closeButtonProps={{ "aria-label": "Close" }}
      {...ownEscape(onClose)}
    >
      <Proved query={account}>{(proof) => <AloneForm run={run} account={proof} onClose={onClose} />}</Proved>
    </Modal>
  );
}

function AloneForm({ run, account, onClose }: { run: Run; account: ProofWanted; onClose: () => void }) {
  const utils = trpc.useUtils();
  const approve = trpc.payouts.approveRun.useMutation();
  const form = useForm({
    initialValues: { reason: "", currentPassword: "", code: "" },
    validate: {
      reason: (text) => faultsOf(reasonInput, { reason: text }).reason ?? null,
      currentPassword: (text) => (account.hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (account.isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
    },
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, account.hasPassword);
  const [isPending, setIsPending] = useState(false);
  const submit = form.onSubmit(async ({ reason, currentPassword, code }) => {
    if (isPending) return;
    setIsPending(true);
    forgetProblem();
    const proof = { ...(account.hasPassword && { currentPassword }), ...(account.isCodeAsked && { code }) };
    try {
      await approve.mutateAsync({ runId: run.id, reason, ...proof });
      toast.success(texts.approved);
      onClose();
      await utils.payouts.invalidate();
    } catch (error) {
      refuse(error);
    }
    setIsPending(false);
  });
  if (!account.isCodeAsked) return <p>{secondPersonTexts.needsFactor}</p>;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>You are the only owner, so your second factor and a written reason take the second person's place.</p>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <Textarea
        label="Reason"
        description={`At least ${secondPersonLimits.reasonMin} characters, kept with the run.`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={secondPersonLimits.reasonMax}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <OwnProof account={account} form={form} />
      <ButtonRow>
        <Button type="submit" loading={isPending}>
          Approve
        </Button>
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
