import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/fields.css";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { faultsOf } from "#client/lib/faults.ts";
import { can, useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { saleForm } from "#shared/harvests/inputs.ts";
import { type HarvestPool, harvestPools, harvestTexts, harvestLimits as limits } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { quantityText, unitLabels } from "#shared/projects/terms-texts.ts";
import type { SecondPersonKind } from "#shared/second-person/texts.ts";
import { DeclareSale } from "./declare-sale.tsx";
import { DialogFields, FormDialog, ReasonDialog, useDialogForm } from "./form-dialog.tsx";
import { type Harvest, type HarvestProps, nameOf, soldForBackers, sumOf, useRefetchHarvests } from "./harvest-data.ts";
import { EvidenceLink } from "./harvest-files.tsx";
import classes from "./manage-harvests.module.css";

type Sale = Harvest["sales"][number];

const poolLabels: Record<HarvestPool, string> = {
  sold: "What was sold when it was shared out",
  uncollected: "What nobody collected",
};

/** What has arrived of a sale: by lines, or because two owners say so. */
const arrivedOf = ({ matchedKobo, amountKobo, declaredAt }: Sale) => (declaredAt ? amountKobo : matchedKobo);

/** Who bought of a harvest, and what has arrived of it. */
export function Sales({ harvest, round }: HarvestProps) {
  const viewer = useViewer();
  const mayAsk = viewer !== null && can(viewer, "payments:process");
  const requests = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0, enabled: mayAsk });
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Sale | null>(null);
  const [declaring, setDeclaring] = useState<Sale | null>(null);
  const [takingBack, setTakingBack] = useState<Sale | null>(null);
  const { sales, isInsurance, farmQuantity } = harvest;
  const toSell = soldForBackers(harvest) + farmQuantity;
  const sold = sumOf(sales.map(({ quantity }) => quantity ?? 0n));
  const close = () => setIsAdding(false);
  const hasAsked = (asked: SecondPersonKind, { id }: Sale) =>
    requests.data?.requests.some(({ kind, subject }) => kind === asked && subject === String(id)) ?? false;
  const isAsked = (sale: Sale) => hasAsked(sale.declaredAt ? "take_back_sale" : "declare_sale", sale);
  const isRemovalAsked = (sale: Sale) => hasAsked("remove_sale", sale);
  const columns = saleColumns(harvest, {
    isAsked,
    isRemovalAsked,
    onRemove: mayAsk && requests.data ? setRemoving : null,
    onDeclare: mayAsk && requests.data ? setDeclaring : null,
    onTakeBack: mayAsk && requests.data ? setTakingBack : null,
  });
  return (
    <section className={classes.section} aria-label={`Sales of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>{isInsurance ? "Sums of the insurer" : "Sales"}</h3>
      {!isInsurance && toSell > 0n && (
        <p className={classes.fine}>
          {quantityText(sold)} of {quantityText(toSell)} {unitLabels[round.unit].many} sold so far.
        </p>
      )}
      {!isInsurance && sold > toSell && <Notice tone="caution" title="The sales come to more than there is to sell" />}
      {sales.length === 0 && (
        <p className={classes.fine}>None yet. Money counts once a bank line shows it, or two owners declare it.</p>
      )}
      {sales.length > 0 && (
        <DataTable label={`Sales of ${nameOf(harvest)}`} columns={columns} rows={sales} rowKey={({ id }) => id} />
      )}
      <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAdding(true)}>
        {isInsurance ? "Add a sum…" : "Add a sale…"}
      </Button>
      <FormDialog
        opened={isAdding}
        title={isInsurance ? `Sum of ${nameOf(harvest)}` : `Sale of ${nameOf(harvest)}`}
        onClose={close}
      >
        <AddSale harvest={harvest} round={round} onClose={close} />
      </FormDialog>
      <RemoveSale sale={removing} onClose={() => setRemoving(null)} />
      <TakeBackSale sale={takingBack} onClose={() => setTakingBack(null)} />
      <FormDialog
        opened={declaring !== null}
        title={declaring ? `Declare money of ${declaring.buyer} as received` : ""}
        onClose={() => setDeclaring(null)}
      >
        {declaring && <DeclareSale harvest={harvest} sale={declaring} onClose={() => setDeclaring(null)} />}
      </FormDialog>
    </section>
  );
}

type SaleActions = {
  isAsked: (sale: Sale) => boolean;
  isRemovalAsked: (sale: Sale) => boolean;
  /** Null for who can't ask a second person. */
  onRemove: ((sale: Sale) => void) | null;
  onDeclare: ((sale: Sale) => void) | null;
  onTakeBack: ((sale: Sale) => void) | null;
};

function saleColumns({ sales, files, isInsurance }: Harvest, actions: SaleActions): Column<Sale>[] {
  const hasPools = sales.some(({ pool }) => pool === "uncollected");
  const quantity: Column<Sale> = {
    header: "Quantity",
    align: "end",
    render: ({ quantity: sold }) => sold !== null && quantityText(sold),
    sum: quantityText(sumOf(sales.map(({ quantity: sold }) => sold ?? 0n))),
  };
  return [
    { header: isInsurance ? "Insurer" : "Buyer", inCard: "head", render: ({ buyer }) => buyer, sum: "Sum" },
    ...(isInsurance ? [] : [quantity]),
    ...(hasPools ? [{ header: "Of", render: ({ pool }: Sale) => poolLabels[pool] }] : []),
    {
      header: "Amount",
      align: "end",
      render: ({ amountKobo }) => formatNaira(amountKobo),
      sum: formatNaira(sumOf(sales.map(({ amountKobo }) => amountKobo))),
    },
    {
      header: "Money",
      render: (sale) => <Arrived sale={sale} files={files} {...actions} />,
      sum: `${formatNaira(sumOf(sales.map(arrivedOf)))} arrived`,
    },
    { header: "Actions", inCard: "wide", render: (sale) => <RowButtons sale={sale} {...actions} /> },
  ];
}

type ArrivedProps = Pick<SaleActions, "isAsked" | "isRemovalAsked"> & { sale: Sale; files: Harvest["files"] };

function Arrived({ sale, isAsked, isRemovalAsked, files }: ArrivedProps) {
  const { id, buyer, matchedKobo, amountKobo, declaredAt, takenBackAt } = sale;
  if (declaredAt) {
    return (
      <span className={classes.stack}>
        <StatusBadge tone="positive">Declared</StatusBadge>
        <span>By two people</span>
        {isAsked(sale) && <span className={classes.fine}>A second owner is asked to confirm that it didn't come.</span>}
        <EvidenceLink file={files.find(({ saleId }) => saleId === id)} of={`the sale to ${buyer}`} />
      </span>
    );
  }
  if (matchedKobo >= amountKobo) return <StatusBadge tone="positive">All arrived</StatusBadge>;
  return (
    <span className={classes.stack}>
      <StatusBadge tone="waiting">{matchedKobo > 0n ? "Part" : "Not on a statement yet"}</StatusBadge>
      <span>
        Arrived {formatNaira(matchedKobo)} of {formatNaira(amountKobo)}
      </span>
      {takenBackAt && <span className={classes.fine}>Declared as received, and taken back.</span>}
      {isAsked(sale) && <span className={classes.fine}>A second owner is asked to confirm that it came.</span>}
      {isRemovalAsked(sale) && <span className={classes.fine}>Another owner is asked to confirm its removal.</span>}
    </span>
  );
}

function RowButtons({ sale, isAsked, isRemovalAsked, onRemove, onDeclare, onTakeBack }: SaleActions & { sale: Sale }) {
  const { buyer, matchedKobo, amountKobo, declaredAt, takenBackAt } = sale;
  if (matchedKobo >= amountKobo || isAsked(sale) || isRemovalAsked(sale)) return null;
  if (declaredAt) {
    return (
      onTakeBack && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Take back… (${buyer}, ${formatNaira(amountKobo)})`}
          onClick={() => onTakeBack(sale)}
        >
          Take back…
        </Button>
      )
    );
  }
  return (
    <ButtonRow>
      {onDeclare && !takenBackAt && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Declare as received… (${buyer}, ${formatNaira(amountKobo)})`}
          onClick={() => onDeclare(sale)}
        >
          Declare as received…
        </Button>
      )}
      {onRemove && matchedKobo === 0n && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Remove ${buyer}, ${formatNaira(amountKobo)}`}
          onClick={() => onRemove(sale)}
        >
          Remove…
        </Button>
      )}
    </ButtonRow>
  );
}

function TakeBackSale({ sale, onClose }: { sale: Sale | null; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const ask = useAskSecondPerson(refetch);
  const unmatchedKobo = sale ? sale.amountKobo - sale.matchedKobo : 0n;
  return (
    <ReasonDialog
      opened={sale !== null}
      title={sale ? `Take back that money of ${sale.buyer} came` : ""}
      description="The other owner reads it."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        if (!sale) return;
        const details = { saleId: sale.id, amountKobo: String(unmatchedKobo) };
        await ask.mutateAsync({ kind: "take_back_sale", details, reason });
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        For {formatNaira(unmatchedKobo)} that didn't come after all. Nothing happens before another owner confirms. Once
        it is settled it can't be taken back.{" "}
        {sale && sale.matchedKobo > 0n
          ? `${harvestTexts.restWaits} The sale isn't declared again.`
          : "The sale isn't declared again: it is removed, and entered anew."}
      </p>
    </ReasonDialog>
  );
}

function RemoveSale({ sale, onClose }: { sale: Sale | null; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const ask = useAskSecondPerson(refetch);
  return (
    <ReasonDialog
      opened={sale !== null}
      title={sale ? `Remove what ${sale.buyer} is to pay` : ""}
      description="The other owner reads it."
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        if (!sale) return;
        const details = { saleId: sale.id, amountKobo: String(sale.amountKobo) };
        await ask.mutateAsync({ kind: "remove_sale", details, reason });
        onClose();
      }}
      onClose={onClose}
    >
      {sale && (
        <p>
          Nothing happens before another owner confirms it. Then nobody waits for the {formatNaira(sale.amountKobo)} any
          more, and backers get nothing of it.
        </p>
      )}
    </ReasonDialog>
  );
}

function AddSale({ harvest, round, onClose }: HarvestProps & { onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const add = trpc.harvests.addSale.useMutation();
  const { isInsurance, parts } = harvest;
  const hasUncollected = parts.uncollected > 0;
  const sent = useDialogForm<{ buyer: string; quantity: string; amount: string; pool: string }>({
    initialValues: {
      buyer: isInsurance ? (round.insurance?.insurer ?? "") : "",
      quantity: "",
      amount: "",
      pool: "sold",
    },
    check: (values) => {
      const faults = faultsOf(saleForm, values);
      if (!isInsurance && values.quantity.trim() === "") faults.quantity = harvestTexts.quantityMissing;
      return faults;
    },
    send: async (values) => {
      const pool = harvestPools.find((one) => one === values.pool) ?? "sold";
      await add.mutateAsync({ ...values, pool, harvestId: harvest.id });
      toast.success(texts.saleAdded);
      onClose();
      await refetch();
    },
  });
  const { form } = sent;
  return (
    <DialogFields sent={sent} submitLabel={isInsurance ? "Add sum" : "Add sale"} onCancel={onClose}>
      <TextInput
        label={isInsurance ? "Insurer" : "Buyer"}
        maxLength={limits.buyer}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("buyer")}
      />
      {!isInsurance && (
        <TextInput
          label={`Quantity, in ${unitLabels[round.unit].many}`}
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("quantity")}
        />
      )}
      <TextInput
        label="Amount"
        description="All that comes of it"
        leftSection="₦"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps("amount")}
      />
      {hasUncollected && (
        <NativeSelect
          label="What was sold"
          description="Its money goes to those whose part it was"
          data={harvestPools.map((value) => ({ value, label: poolLabels[value] }))}
          {...form.getInputProps("pool")}
        />
      )}
    </DialogFields>
  );
}
