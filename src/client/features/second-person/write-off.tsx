import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, Textarea } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { countLots } from "#shared/projects-texts.ts";
import { reasonInput } from "#shared/second-person.ts";
import { secondPersonLimits, secondPersonTexts as texts } from "#shared/second-person-texts.ts";
import classes from "./open-requests.module.css";

/** On the management of a project: the rounds that an owner may ask to write off. Nothing where there is none. */
export default function WriteOff({ projectId }: { projectId: number }) {
  const rounds = trpc.writeOffs.rounds.useQuery({ projectId }, { staleTime: 0 });
  const open = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  const [asking, setAsking] = useState<number | null>(null);
  const isAsked = (round: number) =>
    open.data?.requests.some(({ kind, subject }) => kind === "write_off" && subject === `${projectId}/${round}`);
  const free = rounds.data?.filter(({ round }) => !isAsked(round)) ?? [];
  if (free.length === 0 || !open.data) return null;
  return (
    <SectionCard title="Write off" text="Where nothing more will come of a round. A second owner has to confirm it.">
      <ButtonRow>
        {free.map(({ round, lots, approvedLots }) => (
          <Button
            key={round}
            variant="outline"
            color="red"
            className={classes.wrapping}
            onClick={() => setAsking(round)}
          >
            Write off round {round} ({approvedLots} of {countLots(lots)} sold)
          </Button>
        ))}
      </ButtonRow>
      <Modal
        opened={asking !== null}
        onClose={() => setAsking(null)}
        title={`Write off round ${asking}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {asking !== null && <AskForm projectId={projectId} round={asking} onClose={() => setAsking(null)} />}
      </Modal>
    </SectionCard>
  );
}

type AskFormProps = { projectId: number; round: number; onClose: () => void };

/** Asks for the words that the second owner and the backers read. */
function AskForm({ projectId, round, onClose }: AskFormProps) {
  const utils = trpc.useUtils();
  const form = useForm({ initialValues: { reason: "" }, validate: schemaResolver(reasonInput, { sync: true }) });
  const { problem, refuse } = useRefusal(form, false);
  const ask = trpc.secondPerson.ask.useMutation({
    onSuccess: () => {
      toast.success(texts.asked);
      onClose();
    },
    onError: refuse,
    onSettled: () => utils.secondPerson.list.invalidate(),
  });
  const submit = form.onSubmit(({ reason }) =>
    ask.mutate({ kind: "write_off", details: { projectId, round }, reason }),
  );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        Nothing happens before another owner confirms. Then none of the round's payments can be taken back or given back
        any more, and its backers are emailed.
      </p>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <Textarea
        label="Reason"
        description={`The backers read it. At least ${secondPersonLimits.reasonMin} characters.`}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={secondPersonLimits.reasonMax}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <ButtonRow>
        <Button type="submit" color="red" loading={ask.isPending}>
          Ask for a second person
        </Button>
        <Button variant="default" disabled={ask.isPending} onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}
