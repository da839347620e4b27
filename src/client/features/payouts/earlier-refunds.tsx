import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { amountColumn, payeeColumn, payeeOf } from "./payout-cells.tsx";
import { ListOf, useRequests } from "./payout-lists.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";

const TransferredDialog = lazy(() => import("./transferred-dialog.tsx"));

type Asked = { payout: Payout; act: "release" | "transferred" };

/** Refunds from before there were payouts: an owner releases what wasn't transferred by hand, two say what was. */
export function EarlierRefunds() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const requests = useRequests("refund_transferred");
  const close = () => setAsked(null);
  const columns: Column<Payout>[] = [
    payeeColumn,
    amountColumn,
    {
      header: "Owed since",
      width: "8rem",
      render: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>,
    },
    {
      header: "Was it transferred?",
      width: "15rem",
      inCard: "wide",
      render: (payout) => {
        const what = `${formatNaira(payout.amountKobo)} for ${payeeOf(payout)}`;
        return (
          <span className={classes.answers}>
            <Button
              variant="default"
              size="sm"
              aria-label={`Not paid yet: release ${what}`}
              onClick={() => setAsked({ payout, act: "release" })}
            >
              Not paid yet: release
            </Button>
            {requests.has(String(payout.id)) ? (
              <StatusBadge tone="waiting">Another owner is asked</StatusBadge>
            ) : (
              <Button
                variant="default"
                size="sm"
                aria-label={`Already transferred: ${what}`}
                onClick={() => setAsked({ payout, act: "transferred" })}
              >
                Already transferred…
              </Button>
            )}
          </span>
        );
      },
    },
  ];
  return (
    <>
      <ListOf
        list="earlier"
        label="Refunds from before payouts existed"
        columnsOf={() => columns}
        empty={
          <EmptyState
            picture="/art/success.svg"
            title="Somebody has looked at every one"
            text="Refunds that were owed before payouts existed appear here until it is known whether they were transferred."
          />
        }
      />
      {asked?.act === "release" && <Release payout={asked.payout} onClose={close} />}
      <Suspense>{asked?.act === "transferred" && <TransferredDialog payout={asked.payout} onClose={close} />}</Suspense>
    </>
  );
}

function Release({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const utils = trpc.useUtils();
  const release = trpc.payouts.releaseEarlier.useMutation({
    onSuccess: () => toast.success(texts.released),
    onError: (error) => toast.error(texts.releaseFailed, errorText(error)),
    onSettled: async () => {
      onClose();
      await utils.payouts.invalidate();
    },
  });
  return (
    <LazyConfirmDialog
      opened
      title={`Release ${formatNaira(payout.amountKobo)} for ${payeeOf(payout)}?`}
      confirmLabel="Release"
      isPending={release.isPending}
      onConfirm={() => release.mutate({ payoutId: payout.id })}
      onClose={onClose}
    >
      <p>
        Only if you have looked through the bank's records since {formatDate(payout.createdAt)} and it was not
        transferred. It is paid with a payment run, and {payeeOf(payout)} is emailed that it comes.
      </p>
    </LazyConfirmDialog>
  );
}
