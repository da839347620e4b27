import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { holdLimits, holdTexts } from "#shared/projects/holds-texts.ts";
import classes from "./manage-holds.module.css";

type Listed = RouterOutputs["holds"]["list"];
type Hold = Listed["holds"][number];

const extraHours = 24;

/** Who holds lots of a project, and who waits: for those who see its payments; owners end and extend holds. */
export default function ManageHolds({ projectId }: { projectId: number }) {
  const utils = trpc.useUtils();
  const query = trpc.holds.list.useQuery({ projectId }, { staleTime: 0 });
  const [ending, setEnding] = useState<Hold | null>(null);
  const refresh = () => void utils.holds.list.invalidate({ projectId });
  const extend = trpc.holds.extend.useMutation({
    onSuccess: () => toast.success(holdTexts.extended),
    onError: (error) => toast.error(errorText(error)),
    onSettled: refresh,
  });
  if (!query.data) {
    if (!query.isError) {
      return (
        <Loading label="Loading holds">
          <Skeleton height="10rem" radius="var(--mantine-radius-md)" />
        </Loading>
      );
    }
    return <LoadFailed query={query} title="The holds could not be loaded." />;
  }
  const { holds, waiting, canProcess } = query.data;
  const columns = holdColumns({
    canProcess,
    isBusy: extend.isPending,
    onEnd: setEnding,
    onExtend: ({ id }) => extend.mutate({ holdId: id, hours: extraHours }),
  });
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.heading}>Held lots</h2>
        <ExportMenu
          tables={[
            { name: "holds", label: "All holds", filter: { projectId } },
            { name: "waiting-list", label: "Waiting list", filter: { projectId } },
          ]}
        />
      </div>
      {holds.length === 0 ? (
        <EmptyState
          picture="/art/empty-payments.svg"
          title="Nobody holds a lot now"
          text="Held lots will appear here."
        />
      ) : (
        <DataTable label="Held lots" columns={columns} rows={holds} rowKey={({ id }) => id} />
      )}
      {waiting.length > 0 && (
        <>
          <h2 className={classes.heading}>Waiting list</h2>
          <DataTable label="Waiting list" columns={waitingColumns} rows={waiting} rowKey={({ id }) => id} />
        </>
      )}
      <EndHold hold={ending} onClose={() => setEnding(null)} onEnded={refresh} />
    </>
  );
}

type HoldColumnsInput = {
  canProcess: boolean;
  isBusy: boolean;
  onEnd: (hold: Hold) => void;
  onExtend: (hold: Hold) => void;
};

function holdColumns({ canProcess, isBusy, onEnd, onExtend }: HoldColumnsInput): Column<Hold>[] {
  const actions: Column<Hold> = {
    header: "Actions",
    inCard: "wide",
    render: (hold) => (
      <ButtonRow>
        {hold.until && (
          <Button size="sm" variant="default" disabled={isBusy} onClick={() => onExtend(hold)}>
            {extraHours} hours from now
          </Button>
        )}
        <Button size="sm" variant="default" color="red" onClick={() => onEnd(hold)}>
          End
        </Button>
      </ButtonRow>
    ),
  };
  return [
    { header: "Name", inCard: "head", render: ({ fullName }) => fullName },
    { header: "Lots", align: "end", render: ({ lots }) => lots },
    { header: "Until", render: ({ until }) => (until ? formatDateTime(until) : "Until it is decided") },
    {
      header: "Status",
      render: ({ hasReceipt, isOffer }) => (
        <StatusBadge tone={hasReceipt ? "waiting" : "neutral"}>
          {hasReceipt ? "Receipt sent" : isOffer ? "Offered" : "Held"}
        </StatusBadge>
      ),
    },
    ...(canProcess ? [actions] : []),
  ];
}

const waitingColumns: Column<Listed["waiting"][number]>[] = [
  { header: "Name", inCard: "head", render: ({ fullName }) => fullName },
  { header: "Lots", align: "end", render: ({ lots }) => lots },
  { header: "Since", render: ({ joinedAt }) => formatDateTime(joinedAt) },
];

type EndHoldProps = { hold: Hold | null; onClose: () => void; onEnded: () => void };

/** Asks for the reason that the backer reads. */
function EndHold({ hold, onClose, onEnded }: EndHoldProps) {
  const [reason, setReason] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const close = () => {
    setReason("");
    setIsMissing(false);
    onClose();
  };
  const end = trpc.holds.end.useMutation({
    onSuccess: () => {
      toast.success(holdTexts.endedByHand);
      close();
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: onEnded,
  });
  const submit = () => {
    const isEmpty = reason.trim() === "";
    setIsMissing(isEmpty);
    if (hold && !isEmpty) end.mutate({ holdId: hold.id, reason });
  };
  return (
    <Modal
      opened={hold !== null}
      onClose={end.isPending ? () => undefined : close}
      title={hold ? `End the hold of ${hold.fullName}?` : ""}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p>The lots come free at once, and the backer is emailed with your reason.</p>
        <Textarea
          label="Reason"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={holdLimits.reasonLength}
          value={reason}
          error={isMissing && reason.trim() === "" ? holdTexts.reasonMissing : undefined}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          data-autofocus
        />
        <ButtonRow>
          <Button type="submit" color="red" loading={end.isPending}>
            End the hold
          </Button>
          <Button variant="default" disabled={end.isPending} onClick={close}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}
