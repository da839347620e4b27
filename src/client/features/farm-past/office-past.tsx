import { Button, Modal } from "@mantine/core";
import { Suspense, useState } from "react";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/overlays.css";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDate } from "#shared/dates.ts";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./farm-past.module.css";
import { PastCard } from "./past-card.tsx";
import { PastEntry } from "./past-entry.tsx";
import { WithdrawPast } from "./withdraw-past.tsx";

const ConfirmAlone = lazyDialog(() => import("./confirm-alone.tsx"));

type Past = RouterOutputs["farmPast"]["ofFarm"][number];

/** On a farm's page of the office: what it tells of earlier years, which owners decide on. */
export default function OfficePast({ farmId, isOwner }: { farmId: number; isOwner: boolean }) {
  const utils = trpc.useUtils();
  const query = trpc.farmPast.ofFarm.useQuery({ farmId }, { staleTime: 0 });
  const enter = trpc.farmPast.enter.useMutation({ onSettled: () => utils.farmPast.invalidate() });
  const withdraw = trpc.farmPast.withdraw.useMutation({ onSettled: () => utils.farmPast.invalidate() });
  return (
    <PastCard title={texts.before} query={query} enter={(told) => enter.mutateAsync({ ...told, farmId })}>
      {(past) => (
        <PastEntry key={past.id} past={past}>
          <p className={classes.fine}>
            Entered by {past.enteredByName ?? "nobody known"} on {formatDate(past.createdAt)}
            {past.decidedAt && `, decided by ${past.decidedByName ?? "nobody known"} on ${formatDate(past.decidedAt)}`}
          </p>
          {past.isOwn && past.state === "waiting" && (
            <WithdrawPast withdraw={() => withdraw.mutateAsync({ pastId: past.id })} />
          )}
          {isOwner && <Decide past={past} />}
        </PastEntry>
      )}
    </PastCard>
  );
}

/** Who may not confirm it reads why. */
function Decide({ past: { id: pastId, state, isOwn, confirmRefusal } }: { past: Past }) {
  const [dialog, setDialog] = useState<"alone" | "refuse" | null>(null);
  const utils = trpc.useUtils();
  const onSettled = () => Promise.all([utils.farmPast.invalidate(), utils.farmPages.invalidate()]);
  const confirm = trpc.farmPast.confirm.useMutation({
    onSuccess: () => toast.success(texts.confirmed),
    onError: (error) => toast.error(texts.confirmFailed, errorText(error)),
    onSettled,
  });
  const refuse = trpc.farmPast.refuse.useMutation({ onSettled });
  const isPublic = state === "confirmed";
  const isDecided = state === "refused" || state === "taken_down";
  const close = () => setDialog(null);
  return (
    <>
      {!isPublic && confirmRefusal !== null && <p className={classes.fine}>{confirmRefusal}</p>}
      <ButtonRow>
        {!isPublic && confirmRefusal === null && (
          <Button
            size="sm"
            variant={isDecided ? "default" : "filled"}
            loading={confirm.isPending}
            onClick={() => (isOwn ? setDialog("alone") : confirm.mutate({ pastId }))}
          >
            {isDecided ? "Confirm After All" : "The Evidence Is Right"}
          </Button>
        )}
        {!isDecided && (
          <Button size="sm" variant="default" onClick={() => setDialog("refuse")}>
            {isPublic ? "Take Down…" : "Refuse…"}
          </Button>
        )}
      </ButtonRow>
      <Suspense>{dialog === "alone" && <ConfirmAlone pastId={pastId} onClose={close} onDone={onSettled} />}</Suspense>
      <Modal
        opened={dialog === "refuse"}
        onClose={close}
        title={isPublic ? "Take it down?" : "Refuse it?"}
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ReasonForm
          description={`The farm reads it. At least ${secondPersonLimits.reasonMin} characters.`}
          submitLabel={isPublic ? "Take Down" : "Refuse"}
          isDangerous
          onSubmit={async (reason) => {
            await refuse.mutateAsync({ pastId, reason });
            toast.success(isPublic ? texts.takenDown : texts.refused);
            close();
          }}
          onCancel={close}
        />
      </Modal>
    </>
  );
}
