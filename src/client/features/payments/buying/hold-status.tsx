import { Button } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { countLots } from "#shared/projects/texts.ts";
import { AgreeFirst } from "./agree-first.tsx";
import classes from "./hold-status.module.css";
import { type PaymentPage, useRefreshPaymentPage } from "./use-payment-page.ts";

type Held = NonNullable<PaymentPage["hold"]>;

/** How the lots are held: for the reader, or for others, with the waiting list. */
export function HoldStatus({ page, lots }: { page: PaymentPage; lots: number }) {
  const { hold, project } = page;
  if (!hold || (project.isClosed && !holdsLots(page))) return null;
  const { own } = hold;
  if (own?.until) {
    if (!own.isOffer) return <HoldLine text={holdTexts.mineBriefly(own.lots, own.until, hold.now)} />;
    return (
      <OwnHold projectId={project.id} hold={hold} {...own} until={own.until}>
        Afterwards the lots are offered to the next.
      </OwnHold>
    );
  }
  if (!isAllHeld(page)) return null;
  const all = <AllHeld projectId={project.id} hold={hold} lots={lots} />;
  return hold.place === null ? <AgreeFirst>{all}</AgreeFirst> : all;
}

/** One line, so that the account stands on a phone's first screen. */
function HoldLine({ text }: { text: string }) {
  return (
    <p className={classes.line} data-tone="waiting">
      <IconClock size={18} stroke={2} aria-hidden="true" />
      {text}
    </p>
  );
}

/** Below the steps: the time that is left of the reader's hold, how to keep it, and the way out. */
export function KeepHold({ page: { hold, project } }: { page: PaymentPage }) {
  if (!hold?.own?.until) return null;
  return (
    <OwnHold projectId={project.id} hold={hold} {...hold.own} until={hold.own.until}>
      Upload your receipt before then, and they stay held while we review it.
    </OwnHold>
  );
}

/** True if the reader holds lots. Closing the project doesn't end a hold. An offer isn't theirs yet. */
export const holdsLots = ({ hold }: PaymentPage): boolean => hold?.own?.isOffer === false;

/**
 * Returns true if nothing is left to hold for a reader who holds nothing: all lots are held, or others wait for them.
 */
export function isAllHeld({ hold, round }: PaymentPage): boolean {
  if (!hold || hold.own) return false;
  return hold.waiting > 0 || round.lots - round.approvedLots - hold.heldByOthers <= 0;
}

type OwnHoldProps = {
  projectId: number;
  hold: Held;
  lots: number;
  until: Date;
  isOffer: boolean;
  /** The sentence after the time that is left. */
  children: string;
};

function OwnHold({ projectId, hold, lots, until, isOffer, children }: OwnHoldProps) {
  const { refresh } = useRefreshPaymentPage(projectId);
  const left = useTimeLeft(until, hold.now, refresh);
  const [isAsking, setIsAsking] = useState(false);
  const release = trpc.holds.release.useMutation({
    onSuccess: () => toast.success(holdTexts.released),
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => {
      setIsAsking(false);
      refresh();
    },
  });
  return (
    <Notice
      tone="waiting"
      title={isOffer ? holdTexts.yourTurn(until, hold.now) : holdTexts.mine(lots, until, hold.now)}
    >
      <p>
        <span className="money">{left}</span> left. {children}
      </p>
      <ButtonRow>
        <Button variant="default" size="sm" onClick={() => setIsAsking(true)}>
          {isOffer ? "Decline the offer" : holdTexts.cancel}
        </Button>
      </ButtonRow>
      <LazyConfirmDialog
        opened={isAsking}
        title={isOffer ? `Decline ${countLots(lots)}?` : `Cancel your hold of ${countLots(lots)}?`}
        confirmLabel={isOffer ? "Decline the offer" : holdTexts.cancel}
        cancelLabel={isOffer ? "Keep the offer" : "Keep my hold"}
        isDangerous
        isPending={release.isPending}
        onConfirm={() => release.mutate({ projectId })}
        onClose={() => setIsAsking(false)}
      >
        Others can take {lots === 1 ? "it" : "them"} at once. If you have already sent the money, keep{" "}
        {lots === 1 ? "it" : "them"} and upload your receipt.{isOffer ? "" : ` ${holdTexts.vain(hold.vain)}`}
      </LazyConfirmDialog>
    </Notice>
  );
}

function AllHeld({ projectId, hold, lots }: { projectId: number; hold: Held; lots: number }) {
  const { refresh } = useRefreshPaymentPage(projectId);
  const options = { onError: (error: unknown) => toast.error(errorText(error)), onSettled: refresh };
  const join = trpc.holds.join.useMutation({ ...options, onSuccess: () => toast.success(holdTexts.joined) });
  const leave = trpc.holds.leave.useMutation({ ...options, onSuccess: () => toast.success(holdTexts.left) });
  return (
    <Notice tone="waiting" title={hold.nextFreeAt ? holdTexts.held(hold.nextFreeAt, hold.now) : holdTexts.noneFree}>
      {hold.place === null ? (
        <>
          <p>
            Join the waiting list: when lots come free, they are offered to the first on it. You ask for{" "}
            {countLots(lots)}.
          </p>
          <ButtonRow>
            <Button size="sm" loading={join.isPending} onClick={() => join.mutate({ projectId, lots })}>
              Join the waiting list
            </Button>
          </ButtonRow>
        </>
      ) : (
        <>
          <p>
            You are number {hold.place} of {hold.waiting} on the waiting list. We email you when it is your turn.
          </p>
          <ButtonRow>
            <Button variant="default" size="sm" loading={leave.isPending} onClick={() => leave.mutate({ projectId })}>
              Leave the waiting list
            </Button>
          </ButtonRow>
        </>
      )}
    </Notice>
  );
}

const secondMs = 1000;

/** "23:59:05", or "3 days 04:10:59", until the end by the server's clock; asks the server once it is reached. */
function useTimeLeft(until: Date, serverNow: Date, onEnd: () => void): string {
  // How far this device's clock is from the server's.
  const [offset] = useState(() => serverNow.getTime() - Date.now());
  const [left, setLeft] = useState(() => until.getTime() - serverNow.getTime());
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = until.getTime() - (Date.now() + offset);
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      end();
    }, secondMs);
    return () => clearInterval(timer);
  }, [until, offset]);
  const seconds = Math.max(0, Math.ceil(left / secondMs));
  const two = (value: number) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const time = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days === 0 ? time : `${days} ${days === 1 ? "day" : "days"} ${time}`;
}
