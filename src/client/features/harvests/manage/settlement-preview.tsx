import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useContext, useEffect, useRef, useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorReason } from "#client/lib/errors.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { costPayerLabels, type HarvestPool, harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira, formatNairaExact, type Kobo, MAX_STATEMENT_KOBO, parseNaira, sumOf } from "#shared/money.ts";
import { quantityText, rateText, unitLabels } from "#shared/projects/terms-texts.ts";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import { DialogFields, FocusHome, useDialogForm } from "./form-dialog.tsx";
import { type HarvestProps, nameOf, useRefetchHarvests } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

type Preview = RouterOutputs["harvests"]["preview"];
type PreviewProps = HarvestProps & { pool: HarvestPool; onClose: () => void };

/** Previews each person's part of a settlement, before an owner confirms it by typing its amount. */
export function SettlementPreview(props: PreviewProps) {
  const { harvest, pool } = props;
  const query = trpc.harvests.preview.useQuery({ harvestId: harvest.id, pool }, { staleTime: 0, gcTime: 0 });
  const place = useRef<HTMLDivElement>(null);
  // The keyboard goes on in what took the button's place.
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} className={classes.preview} tabIndex={-1}>
      {query.data ? (
        <Previewed {...props} preview={query.data} />
      ) : query.isError ? (
        <LoadFailed query={query} title="The settlement could not be worked out" />
      ) : (
        <Loading label="Working the settlement out">
          <Skeleton height="12rem" radius="var(--mantine-radius-md)" />
        </Loading>
      )}
    </div>
  );
}

type Row = {
  key: number | "farm";
  name: string;
  /** A quantity; of an insurer's sum, kobo. */
  weight: bigint;
  shareKobo: Kobo;
  feeKobo: Kobo;
  vatKobo: Kobo;
  whtKobo: Kobo;
  netKobo: Kobo;
};

/** How many of a long table are shown at first. */
const firstRows = 20;

function Previewed({ harvest, round, pool, preview, onClose }: PreviewProps & { preview: Preview }) {
  const { proceedsKobo, dividedKobo, costs, rows, farmQuantity, farmKobo } = preview;
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? rows : rows.slice(0, firstRows);
  const { isInsurance } = harvest;
  const listed: Row[] = shown.map((row) => ({ ...row, key: row.backingId }));
  if (farmQuantity > 0n) {
    const none = { feeKobo: 0n, vatKobo: 0n, whtKobo: 0n };
    listed.push({
      key: "farm",
      name: "The farm",
      weight: farmQuantity,
      ...none,
      shareKobo: farmKobo,
      netKobo: farmKobo,
    });
  }
  return (
    <>
      <dl className={classes.reckoning}>
        <div>
          <dt>Arrived of sales</dt>
          <dd>{formatNaira(proceedsKobo)}</dd>
        </div>
        {costs.map(({ id, label, paidBy, amountKobo }) => (
          <div key={id}>
            <dt>
              {label}, paid by {costPayerLabels[paidBy].toLowerCase()}
            </dt>
            <dd>−{formatNaira(amountKobo)}</dd>
          </div>
        ))}
        <div data-sum>
          <dt>To divide</dt>
          <dd>{formatNaira(dividedKobo)}</dd>
        </div>
      </dl>
      {preview.unwrittenKobo > 0n && (
        <Notice tone="caution" title={harvestTexts.unwritten(formatNaira(preview.unwrittenKobo))} />
      )}
      <p className={classes.fine}>
        {isInsurance
          ? "Divided by what each backing counts."
          : `Divided by what ${pool === "sold" ? "was sold for each when it was shared out" : "each hasn't collected"}. Quantities in ${unitLabels[round.unit].many}.`}
      </p>
      <DataTable
        label={`Settlement of ${nameOf(harvest)}`}
        columns={previewColumns(preview, isInsurance)}
        rows={listed}
        rowKey={({ key }) => key}
      />
      {shown.length < rows.length && (
        <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAll(true)}>
          Show all {rows.length} backers
        </Button>
      )}
      <SettleForm harvest={harvest} pool={pool} preview={preview} onClose={onClose} />
    </>
  );
}

function previewColumns(preview: Preview, isInsurance: boolean): Column<Row>[] {
  const { rows, farmQuantity, farmKobo, feeRate, vatRate, whtRate } = preview;
  const weightText = isInsurance ? formatNaira : quantityText;
  const money = (
    header: string,
    key: "shareKobo" | "feeKobo" | "vatKobo" | "whtKobo" | "netKobo",
    sum: Kobo,
  ): Column<Row> => ({
    header,
    align: "end",
    render: (row) => (row.key === "farm" && key !== "shareKobo" && key !== "netKobo" ? "–" : formatNaira(row[key])),
    sum: formatNaira(sum),
  });
  return [
    { header: "Name", inCard: "head", render: ({ name }) => name, sum: "Sum" },
    {
      header: isInsurance ? "Counts" : "Quantity",
      align: "end",
      render: ({ weight }) => weightText(weight),
      sum: weightText(sumOf(rows.map(({ weight }) => weight)) + farmQuantity),
    },
    money("Share", "shareKobo", preview.shareKobo + farmKobo),
    money(`Fee ${rateText(feeRate)}%`, "feeKobo", preview.feeKobo),
    ...(vatRate > 0 ? [money(`VAT ${rateText(vatRate)}%`, "vatKobo", preview.vatKobo)] : []),
    ...(whtRate > 0 ? [money(`Withheld ${rateText(whtRate)}%`, "whtKobo", preview.whtKobo)] : []),
    money("Net", "netKobo", preview.netKobo + farmKobo),
  ];
}

type SettleFormProps = Pick<PreviewProps, "harvest" | "pool" | "onClose"> & { preview: Preview };

/**
 * Confirmed by typing the amount. Where more has arrived meanwhile, the table is made anew and what was typed stays.
 * Whoever wrote down a cost or a sale of it sends it to another owner.
 */
function SettleForm({ harvest, pool, preview, onClose }: SettleFormProps) {
  const { proceedsKobo, vatRate, whtRate, isRecorder } = preview;
  const refetch = useRefetchHarvests();
  const focusHome = useContext(FocusHome);
  const settle = trpc.harvests.settle.useMutation();
  const ask = useAskSecondPerson();
  const sent = useDialogForm({
    initialValues: { amount: "", reason: "" },
    check: ({ amount, reason }) => ({
      ...(parseNaira(amount, MAX_STATEMENT_KOBO) !== proceedsKobo && { amount: harvestTexts.wrongAmount }),
      ...(isRecorder && faultsOf(reasonInput, { reason })),
    }),
    send: async ({ amount, reason }) => {
      const settled = { harvestId: harvest.id, pool, vatRate, whtRate };
      try {
        if (isRecorder) {
          const details = { ...settled, amountKobo: String(proceedsKobo) };
          await ask.mutateAsync({ kind: "settle_harvest", details, reason });
        } else await settle.mutateAsync({ ...settled, amount });
      } catch (error) {
        if (errorReason(error) === "conflict") await refetch();
        throw error;
      }
      if (!isRecorder) toast.success(texts.settled);
      await refetch();
      onClose();
      focusHome();
    },
  });
  const close = () => {
    onClose();
    focusHome();
  };
  return (
    <DialogFields sent={sent} submitLabel={isRecorder ? "Send to another owner" : "Settle"} onCancel={close}>
      {isRecorder && <Notice tone="caution" title={harvestTexts.settledByRecorder} />}
      <p>
        From then on it is owed: payouts are made, and each backer is emailed the calculation. It can be reversed only
        while none of its payouts is in a payment run.
      </p>
      <TextInput
        className={classes.amount}
        label={`Type ${formatNairaExact(proceedsKobo)} to settle it`}
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        {...sent.form.getInputProps("amount")}
      />
      {isRecorder && (
        <Textarea
          label="Reason"
          description={`The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={secondPersonLimits.reasonMax}
          {...sent.form.getInputProps("reason")}
        />
      )}
    </DialogFields>
  );
}
