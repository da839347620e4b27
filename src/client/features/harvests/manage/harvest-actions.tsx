import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useContext, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { lowerQuantityInput } from "#shared/harvests/inputs.ts";
import { type HarvestLoss, harvestTexts, harvestLimits as limits } from "#shared/harvests/texts.ts";
import { unseenTexts } from "#shared/harvests/unseen-texts.ts";
import { lastSecondOfDay } from "#shared/lagos-time.ts";
import { formatNaira } from "#shared/money.ts";
import { formatQuantity, quantityText, unitLabels } from "#shared/projects/terms-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { DialogFields, FocusHome, FormDialog, ReasonDialog, useDialogForm } from "./form-dialog.tsx";
import {
  fullMoment,
  type Harvest,
  type HarvestProps,
  isLossAsked,
  isOpeningAsked,
  isShortHarvest,
  nameOf,
  photosOf,
  useRefetchHarvests,
} from "./harvest-data.ts";
import { EditHarvest, useManagedHarvests } from "./harvest-form.tsx";
import classes from "./manage-harvests.module.css";

type Act = "edit" | "open" | "lower" | "withdraw";

/** A draft of nothing: all that can be done with it is to declare it as lost. */
export const isNothing = ({ state, isInsurance, quantity }: Harvest): boolean =>
  state === "draft" && !isInsurance && quantity === 0n;

/** Returns whether a harvest can be declared as lost and by whom, and what a second owner is asked to confirm of it. */
function useLoss(harvest: Harvest) {
  const viewer = useViewer();
  const { id, state, isInsurance, parts } = harvest;
  const mayAsk = viewer !== null && can(viewer, "payments:process");
  const { data } = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0, enabled: mayAsk });
  const isAsked = (what: HarvestLoss) => isLossAsked(data?.requests, { harvestId: id, what });
  const canLose =
    isNothing(harvest) || state === "choosing" || (state === "allotted" && !isInsurance && parts.collected === 0);
  const canLoseRest = mayAsk && harvest.restRefusal === null;
  const isOpenAsked = isOpeningAsked(data?.requests, id);
  return { canLose, canLoseRest, mayAsk, isLoseAsked: isAsked("harvest"), isRestAsked: isAsked("rest"), isOpenAsked };
}

/** The actions on a harvest in its state. */
export function HarvestActions({ harvest, round }: HarvestProps) {
  const [act, setAct] = useState<Act | null>(null);
  const calls = useManagedHarvests();
  const { state, quantity, isInsurance, parts, now } = harvest;
  const { canLose, canLoseRest, mayAsk, isLoseAsked, isRestAsked, isOpenAsked } = useLoss(harvest);
  const isDraft = state === "draft" && !isInsurance;
  const isChoosing = state === "choosing" && harvest.choosesUntil !== null && harvest.choosesUntil >= now;
  const hasPhoto = photosOf(harvest).length > 0;
  const isOpenable = isDraft && quantity !== 0n && (!isShortHarvest(harvest) || hasPhoto);
  const takesTwo = isOpenable && harvest.unseen.length > 0;
  const canWithdraw = state === "draft" || (state === "choosing" && parts.chosen === 0);
  const close = () => setAct(null);
  const name = nameOf(harvest);
  if (!canLose && !canLoseRest && !canWithdraw && !isDraft && !isChoosing) return null;
  return (
    <>
      {canLose && !mayAsk && quantity === 0n && (
        <Notice tone="caution" title="Nothing was harvested">
          <p>An owner declares it as lost, and a second one confirms it.</p>
        </Notice>
      )}
      {canLose && mayAsk && !hasPhoto && quantity === 0n && (
        <Notice tone="caution" title={harvestTexts.evidenceFirst} />
      )}
      {isOpenAsked && <Notice tone="waiting" title={unseenTexts.isAsked} />}
      {takesTwo && !mayAsk && !isOpenAsked && (
        <Notice tone="caution" title="The bank doesn't show all that was paid">
          <p>{unseenTexts.takesTwo(harvest.unseen)}</p>
        </Notice>
      )}
      {isLoseAsked && <Notice tone="waiting" title="A second owner is asked to confirm that this harvest is lost." />}
      {isRestAsked && <Notice tone="waiting" title="A second owner is asked to confirm that the rest of it is lost." />}
      {(isDraft || isChoosing || canWithdraw) && (
        <ButtonRow>
          {isNothing(harvest) && <DeclareLost harvest={harvest} round={round} />}
          {isOpenable && !isOpenAsked && (!takesTwo || mayAsk) && (
            <Button onClick={() => setAct("open")}>Open for choosing…</Button>
          )}
          {isDraft && (
            <Button variant="default" onClick={() => setAct("edit")}>
              Edit…
            </Button>
          )}
          {isChoosing && (
            <Button variant="default" onClick={() => setAct("lower")}>
              Lower the quantity…
            </Button>
          )}
          {canWithdraw && (
            <Button variant="subtle" color="red" onClick={() => setAct("withdraw")}>
              Withdraw…
            </Button>
          )}
        </ButtonRow>
      )}
      <EditHarvest harvest={harvest} round={round} calls={calls} opened={act === "edit"} onClose={close} />
      {takesTwo ? (
        <OpenUnseen harvest={harvest} round={round} opened={act === "open"} onClose={close} />
      ) : (
        <OpenHarvest harvest={harvest} round={round} opened={act === "open"} onClose={close} />
      )}
      <FormDialog opened={act === "lower"} title={`Lower the quantity of ${name}`} onClose={close}>
        <LowerFields harvest={harvest} round={round} onClose={close} />
      </FormDialog>
      <Withdraw harvest={harvest} opened={act === "withdraw"} onClose={close} />
    </>
  );
}

/** A harvest that came is rarely declared lost, so this stands quietly below everything else. */
export function DeclareLost({ harvest }: HarvestProps) {
  const { canLose, canLoseRest, mayAsk, isLoseAsked, isRestAsked } = useLoss(harvest);
  const [act, setAct] = useState<HarvestLoss | null>(null);
  const canAsk = canLose && mayAsk && photosOf(harvest).length > 0;
  if (!canAsk && !canLoseRest) return null;
  const look = {
    className: classes.action,
    color: "red",
    variant: isNothing(harvest) ? "outline" : "subtle",
  } as const;
  const close = () => setAct(null);
  return (
    <>
      {canAsk && !isLoseAsked && (
        <Button {...look} onClick={() => setAct("harvest")}>
          Declare as lost…
        </Button>
      )}
      {canLoseRest && !isRestAsked && (
        <Button {...look} onClick={() => setAct("rest")}>
          Declare the rest as lost…
        </Button>
      )}
      <Lose harvest={harvest} opened={act === "harvest"} onClose={close} />
      <LoseRest harvest={harvest} opened={act === "rest"} onClose={close} />
    </>
  );
}

type DialogProps = { opened: boolean; onClose: () => void };

/** Says whom it is told and until when they choose. */
function OpenHarvest({ harvest, round, opened, onClose }: HarvestProps & DialogProps) {
  const refetch = useRefetchHarvests();
  const focusHome = useContext(FocusHome);
  const open = trpc.harvests.open.useMutation({
    onSuccess: () => toast.success(texts.opened),
    onError: (error) => toast.error(texts.openFailed, errorText(error)),
    onSettled: async () => {
      onClose();
      await refetch();
    },
  });
  const { backers, choiceDays, unit } = round;
  return (
    <LazyConfirmDialog
      opened={opened}
      title={`Open ${nameOf(harvest)} for choosing?`}
      confirmLabel="Open for choosing"
      isPending={open.isPending}
      onConfirm={() => open.mutate({ harvestId: harvest.id, seenAt: harvest.updatedAt })}
      onClose={onClose}
      onClosed={focusHome}
    >
      <p>
        {backers} {backers === 1 ? "backer is" : "backers are"} told by email of{" "}
        {formatQuantity(harvest.quantity ?? 0n, unit)}, and {backers === 1 ? "chooses" : "choose"} until{" "}
        {fullMoment(lastSecondOfDay(harvest.now, choiceDays))}. What nobody chooses is sold.
      </p>
      <p>
        From then on the quantity can only fall, and no payment of round {harvest.round} can be approved or taken back.
      </p>
    </LazyConfirmDialog>
  );
}

/** Where the bank doesn't show all that was paid for the round another owner is asked. */
function OpenUnseen({ harvest, round, opened, onClose }: HarvestProps & DialogProps) {
  const ask = useAskSecondPerson();
  const { id: harvestId, updatedAt, unseen } = harvest;
  return (
    <ReasonDialog
      opened={opened}
      title={`Open ${nameOf(harvest)} for choosing?`}
      description="Why it opens before the money is seen, for the other owner."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        const unseenKobo = unseen.reduce((sum, { missingKobo }) => sum + missingKobo, 0n);
        const details = { harvestId, seenAt: updatedAt.toISOString(), unseenKobo: String(unseenKobo) };
        await ask.mutateAsync({ kind: "open_harvest", details, reason });
        onClose();
      }}
      onClose={onClose}
    >
      <p>{unseenTexts.ask}</p>
      <ul>
        {unseenTexts.each(unseen).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        {unseenTexts.effects.join(" ")} Once it opens, {round.backers}{" "}
        {round.backers === 1 ? "backer is" : "backers are"} told by email.
      </p>
    </ReasonDialog>
  );
}

const lowerForm = lowerQuantityInput.pick({ quantity: true, reason: true });

/** Less than half of what backers were told takes two owners; nothing at all is a loss. */
const isSteep = ({ openedQuantity }: Harvest, quantity: bigint): boolean =>
  quantity > 0n && quantity * 10_000n < (openedQuantity ?? 0n) * BigInt(limits.steepRate);

function LowerFields({ harvest, round, onClose }: HarvestProps & { onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const lower = trpc.harvests.lower.useMutation();
  const ask = useAskSecondPerson();
  const sent = useDialogForm({
    initialValues: { quantity: quantityText(harvest.quantity ?? 0n), reason: "" },
    check: (values) => faultsOf(lowerForm, values),
    send: async ({ quantity, reason }) => {
      const { id: harvestId } = harvest;
      const lowered = lowerForm.shape.quantity.parse(quantity);
      if (isSteep(harvest, lowered)) {
        const details = { harvestId, quantity: String(lowered), seenQuantity: String(harvest.quantity) };
        await ask.mutateAsync({ kind: "lower_harvest", details, reason });
      } else {
        await lower.mutateAsync({ harvestId, quantity, reason });
        toast.success(texts.lowered);
      }
      onClose();
      await refetch();
    },
  });
  const { form } = sent;
  const typed = lowerForm.shape.quantity.safeParse(form.values.quantity);
  const isAsked = typed.success && isSteep(harvest, typed.data);
  return (
    <DialogFields sent={sent} submitLabel={isAsked ? "Send to another owner" : "Lower the quantity"} onCancel={onClose}>
      <p>
        It is {formatQuantity(harvest.quantity ?? 0n, round.unit)} now. What backers have chosen is cut in proportion,
        and they are emailed. Below 90% of the plan, or of what was opened, add a photo from since then first.
      </p>
      {isAsked && <Notice tone="caution" title={harvestTexts.lowerSteep} />}
      <TextInput
        label={`New quantity, in ${unitLabels[round.unit].many}`}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("quantity")}
      />
      <Textarea
        label="Reason"
        description={`Backers read it. At least ${secondPersonLimits.reasonMin} characters.`}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={secondPersonLimits.reasonMax}
        {...form.getInputProps("reason")}
      />
    </DialogFields>
  );
}

function Withdraw({ harvest, opened, onClose }: Pick<HarvestProps, "harvest"> & DialogProps) {
  const refetch = useRefetchHarvests();
  const withdraw = trpc.harvests.withdraw.useMutation({ onSettled: refetch });
  const isTold = harvest.state === "choosing";
  return (
    <ReasonDialog
      opened={opened}
      title={`Withdraw ${nameOf(harvest)}`}
      description={isTold ? "Its backers read it." : "It stays in the log."}
      submitLabel="Withdraw"
      onSubmit={async (reason) => {
        await withdraw.mutateAsync({ harvestId: harvest.id, reason });
        toast.success(texts.withdrawn);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        For what was entered by mistake. {isTold ? "Nobody has chosen yet; all are emailed." : "Nobody was told of it."}{" "}
        This can't be undone.
      </p>
    </ReasonDialog>
  );
}

function Lose({ harvest, opened, onClose }: Pick<HarvestProps, "harvest"> & DialogProps) {
  const ask = useAskSecondPerson();
  return (
    <ReasonDialog
      opened={opened}
      title={`Declare ${nameOf(harvest)} as lost`}
      description="What happened. Its backers read it."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        await ask.mutateAsync({ kind: "lose", details: { what: "harvest", harvestId: harvest.id }, reason });
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        Nothing happens before another owner confirms. Then its backers get nothing of this harvest, and are emailed the
        reason, the photos and what the insurance covers.
      </p>
    </ReasonDialog>
  );
}

function LoseRest({ harvest, opened, onClose }: Pick<HarvestProps, "harvest"> & DialogProps) {
  const { lostKobo } = harvest.costsAtEnd;
  const ask = useAskSecondPerson();
  return (
    <ReasonDialog
      opened={opened}
      title={`Declare the rest of ${nameOf(harvest)} as lost`}
      description="What happened. Everybody reads it, in the farm's record."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        const details = { what: "rest" as const, harvestId: harvest.id, lostKobo: String(lostKobo) };
        await ask.mutateAsync({ kind: "lose", details, reason });
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        For what a buyer never pays, or what can't be sold any more. Add a photo or a document of it first. Nothing
        happens before another owner confirms. Then the harvest ends, what was settled stays, and whoever had something
        sold of the rest is emailed the reason.
      </p>
      {lostKobo > 0n && (
        <p>{formatNaira(lostKobo)} that the platform paid as costs is lost with it, and booked as a loss.</p>
      )}
    </ReasonDialog>
  );
}
