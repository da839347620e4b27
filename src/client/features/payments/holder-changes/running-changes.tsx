import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import "#client/ui/mantine/fields.css";
import { Button } from "@mantine/core";
import { useState } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { formatNaira } from "#shared/money.ts";
import { holderChangeCauseLabels, holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { DaysLeft } from "./days-left.tsx";
import { DoneNote } from "./done-note.tsx";
import classes from "./holder-changes.module.css";

type Running = RouterOutputs["holderChanges"]["running"]["changes"][number];

/** The changes of holder that run, for owners, who may stop them. Nothing where none runs. */
export default function RunningChanges() {
  const query = trpc.holderChanges.running.useQuery(undefined, { staleTime: 0 });
  const [stopping, setStopping] = useState<Running | null>(null);
  const [hasStopped, setHasStopped] = useState(false);
  if (!query.data) {
    if (!query.isError) return null;
    return <LoadFailed query={query} title={texts.fetchFailed} />;
  }
  const { now, changes } = query.data;
  if (changes.length === 0 && !hasStopped) return null;
  return (
    <section className={classes.section} aria-labelledby="holder-changes">
      <h2 id="holder-changes" className={classes.title}>
        Changes of holder
      </h2>
      {hasStopped && <DoneNote text={texts.stopped} />}
      {changes.map((change) => (
        <article key={change.id} className={classes.card}>
          <h3>
            {change.fromName} → {change.toName}
          </h3>
          <p>
            {formatNaira(change.amountKobo)} in round {change.round} of {change.projectTitle}.{" "}
            {holderChangeCauseLabels[change.cause]}. <DaysLeft until={change.until} now={now} />
          </p>
          <p className={classes.reason}>Reason: {change.reason}</p>
          {change.papers.map(({ name, url }) => (
            <p key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                Open the paper that proves it: {name}
              </a>
            </p>
          ))}
          <div>
            <Button variant="default" onClick={() => setStopping(change)}>
              Stop…
            </Button>
          </div>
        </article>
      ))}
      {stopping && (
        <StopDialog change={stopping} onStopped={() => setHasStopped(true)} onClose={() => setStopping(null)} />
      )}
    </section>
  );
}

type StopDialogProps = { change: Running; onStopped: () => void; onClose: () => void };

function StopDialog({ change, onStopped, onClose }: StopDialogProps) {
  const utils = trpc.useUtils();
  const stop = trpc.holderChanges.stop.useMutation({ onSettled: () => utils.holderChanges.invalidate() });
  return (
    <OpenDialog onClose={onClose} title={`Stop the change from ${change.fromName} to ${change.toName}?`}>
      <ReasonForm
        description={`For the other owners and for both people. At least ${secondPersonLimits.reasonMin} characters.`}
        submitLabel="Stop it"
        isDangerous
        onSubmit={async (reason) => {
          await stop.mutateAsync({ changeId: change.id, reason });
          onClose();
          onStopped();
        }}
        onCancel={onClose}
      >
        <p>Nothing changes then. To begin it anew, two owners have to agree again.</p>
      </ReasonForm>
    </OpenDialog>
  );
}
