import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatNairaExact } from "#shared/money.ts";
import type { PayoutProfile } from "#shared/payouts/columns.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { ApproveAlone } from "./approve-alone.tsx";
import { ChooseColumns } from "./choose-columns.tsx";
import classes from "./payouts.module.css";
import type { Run } from "./payouts-search.ts";
import { RunFiles } from "./run-files.tsx";

/**
 * The next step of a run: approve it, make its files, fetch them; or cancel it. Nothing for those who may only
 * look.
 */
export function RunActions({ run }: { run: Run }) {
  const voiding = useInlineForm();
  if (!useCan("payouts:process")) return null;
  if (voiding.isOpen) return <VoidRun run={run} onDone={voiding.close} />;
  const voidButton = run.canVoid && (
    <Button ref={voiding.opener} variant="default" onClick={voiding.open}>
      Cancel this run…
    </Button>
  );
  switch (run.state) {
    case "draft":
      return <ApproveRun run={run} voidButton={voidButton} />;
    case "approved":
      return <ExportRun run={run} voidButton={voidButton} />;
    case "exported":
    case "closed":
      return <RunFiles run={run} />;
    case "void":
      return null;
  }
}

type StepProps = { run: Run; voidButton: React.ReactNode };

function ApproveRun({ run, voidButton }: StepProps) {
  const utils = trpc.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const approve = trpc.payouts.approveRun.useMutation({
    onSuccess: () => toast.success(texts.approved),
    onError: (error) => setProblem(errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await utils.payouts.invalidate();
    },
  });
  const isAlone = run.isMaker && run.canApprove;
  return (
    <div className={classes.step}>
      {problem && (
        <Notice tone="negative" isAlert title={texts.approveFailed}>
          <p>{problem}</p>
        </Notice>
      )}
      {run.stale && <p>{texts[run.stale]}</p>}
      {!run.canApprove && !run.stale && <p>{run.approveRefusal}</p>}
      <ButtonRow>
        {run.canApprove && (
          <Button
            onClick={() => {
              setProblem(null);
              setIsAsking(true);
            }}
          >
            Approve…
          </Button>
        )}
        {voidButton}
      </ButtonRow>
      {isAlone ? (
        <ApproveAlone run={run} opened={isAsking} onClose={() => setIsAsking(false)} />
      ) : (
        <LazyConfirmDialog
          opened={isAsking}
          title={`Approve ${formatNairaExact(run.totalKobo)} in ${texts.count(run.payouts)}?`}
          confirmLabel="Approve"
          isPending={approve.isPending}
          onConfirm={() => approve.mutate({ runId: run.id })}
          onClose={() => setIsAsking(false)}
        >
          {run.madeByName} made this run. You say that its accounts and amounts are right. Nothing leaves before its
          file is given to the bank.
        </LazyConfirmDialog>
      )}
    </div>
  );
}

function ExportRun({ run, voidButton }: StepProps) {
  const utils = trpc.useUtils();
  const [profile, setProfile] = useState<PayoutProfile>(run.ownColumns ? "own" : "generic");
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const exporting = trpc.payouts.exportRun.useMutation({
    onSuccess: () => toast.success(texts.exported),
    onError: (error) => setProblem(errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await utils.payouts.invalidate();
    },
  });
  return (
    <div className={classes.step}>
      {problem && (
        <Notice tone="negative" isAlert title={texts.exportFailed}>
          <p>{problem}</p>
        </Notice>
      )}
      <ChooseColumns run={run} value={profile} onChange={setProfile} />
      <ButtonRow>
        <Button
          onClick={() => {
            setProblem(null);
            setIsAsking(true);
          }}
        >
          Make the files…
        </Button>
        {voidButton}
      </ButtonRow>
      <LazyConfirmDialog
        opened={isAsking}
        title={`Make the files for ${formatNairaExact(run.totalKobo)}?`}
        confirmLabel="Make the files"
        isDangerous
        isPending={exporting.isPending}
        onConfirm={() => exporting.mutate({ runId: run.id, profile })}
        onClose={() => setIsAsking(false)}
      >
        From then on {texts.count(run.payouts)} {run.payouts === 1 ? "counts" : "count"} as sent, and the run can't be
        cancelled any more. Whoever gets the money is told once you say that the bank has a file.
      </LazyConfirmDialog>
    </div>
  );
}

function VoidRun({ run, onDone }: { run: Run; onDone: () => void }) {
  const utils = trpc.useUtils();
  const declare = trpc.payouts.voidRun.useMutation({ onSettled: () => utils.payouts.invalidate() });
  return (
    <div className={classes.step}>
      <InlineReason
        label="Why this run is cancelled"
        description={`At least ${secondPersonLimits.reasonMin} characters, for the other owners.`}
        submitLabel="Cancel this run"
        cancelLabel="Keep the run"
        isDangerous
        onSubmit={async (reason) => {
          await declare.mutateAsync({ runId: run.id, reason });
          toast.success(texts.voided);
          onDone();
        }}
        onCancel={onDone}
      >
        <p>
          Nothing is sent. {texts.count(run.payouts)} {run.payouts === 1 ? "is" : "are"} due again, and may be put into
          another run.
        </p>
      </InlineReason>
    </div>
  );
}
