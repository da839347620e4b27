import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { countLots } from "#shared/projects/texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./write-off.module.css";

/** On the management of a project: the rounds that an owner may ask to write off. Nothing where there is none. */
export default function WriteOff({ projectId }: { projectId: number }) {
  const rounds = trpc.writeOffs.rounds.useQuery({ projectId }, { staleTime: 0 });
  const open = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  const [asking, setAsking] = useState<number | null>(null);
  const isAsked = (round: number) =>
    open.data?.requests.some(({ kind, subject }) => kind === "write_off" && subject === `${projectId}/${round}`);
  const free = rounds.data?.filter(({ round }) => !isAsked(round)) ?? [];
  const possible = free.filter(({ refusal }) => refusal === null);
  if (free.length === 0 || !open.data) return null;
  return (
    <div className={classes.endings}>
      <SectionCard title="End a round" text="Where nothing more will come of it. A second owner has to confirm it.">
        {free.map(
          ({ round, refusal }) =>
            refusal !== null && (
              <p key={round} className={classes.refusal}>
                Not now for round {round}: {refusal}
              </p>
            ),
        )}
        {possible.length > 0 && (
          <ButtonRow>
            {possible.map(({ round, lots, approvedLots }) => (
              <Button
                key={round}
                variant="outline"
                color="red"
                className={classes.wrapping}
                onClick={() => setAsking(round)}
              >
                End round {round}: nothing more will come ({approvedLots} of {countLots(lots)} sold)
              </Button>
            ))}
          </ButtonRow>
        )}
        <Modal
          opened={asking !== null}
          onClose={() => setAsking(null)}
          title={`End round ${asking}: nothing more will come`}
          closeButtonProps={{ "aria-label": "Close" }}
        >
          {asking !== null && <AskForm projectId={projectId} round={asking} onClose={() => setAsking(null)} />}
        </Modal>
      </SectionCard>
    </div>
  );
}

type AskFormProps = { projectId: number; round: number; onClose: () => void };

/** Asks for the words that the second owner and the backers read. */
function AskForm({ projectId, round, onClose }: AskFormProps) {
  const ask = useAskSecondPerson();
  return (
    <ReasonForm
      description={`The backers read it. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      isDangerous
      onSubmit={async (reason) => {
        await ask.mutateAsync({ kind: "write_off", details: { projectId, round }, reason });
        onClose();
      }}
      onCancel={onClose}
    >
      <p>
        Nothing happens before another owner confirms. Then none of the round's payments can be taken back or given back
        any more, and its backers are emailed.
      </p>
    </ReasonForm>
  );
}
