import { Button } from "@mantine/core";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira, sumOf } from "#shared/money.ts";
import { quantityText, unitLabels } from "#shared/projects/terms-texts.ts";
import type { SecondPersonKind } from "#shared/second-person/texts.ts";
import { AddSale, poolLabels, SaleQuantity } from "./add-sale.tsx";
import { ChangeSale, LoseSale } from "./correct-sale.tsx";
import { DeclareSale } from "./declare-sale.tsx";
import { FormDialog, ReasonDialog } from "./form-dialog.tsx";
import {
  type Harvest,
  type HarvestProps,
  isAllotted,
  nameOf,
  soldForBackers,
  takesAdvances,
  useRefetchHarvests,
} from "./harvest-data.ts";
import { EvidenceLink } from "./harvest-files.tsx";
import classes from "./manage-harvests.module.css";

type Sale = Harvest["sales"][number];

/** Returns the money that arrived for a sale: what lines show, or all of it once two owners declared it. */
const arrivedOf = ({ matchedKobo, amountKobo, declaredAt }: Sale) => (declaredAt ? amountKobo : matchedKobo);

/** Who bought of a harvest, and what has arrived of it. */
export function Sales({ harvest, round }: HarvestProps) {
  const mayAsk = useCan("payments:process");
  const mayManage = useCan("harvests:manage");
  const requests = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0, enabled: mayAsk });
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Sale | null>(null);
  const [declaring, setDeclaring] = useState<Sale | null>(null);
  const [takingBack, setTakingBack] = useState<Sale | null>(null);
  const [changing, setChanging] = useState<Sale | null>(null);
  const [losing, setLosing] = useState<Sale | null>(null);
  const [counting, setCounting] = useState<Sale | null>(null);
  const { sales, isInsurance, farmQuantity } = harvest;
  const isAdvance = takesAdvances(harvest);
  const toSell = soldForBackers(harvest) + farmQuantity;
  const sold = sumOf(sales.map(({ quantity }) => quantity ?? 0n));
  const close = () => setIsAdding(false);
  const hasAsked = (asked: SecondPersonKind, { id }: Sale) =>
    requests.data?.requests.some(({ kind, subject }) => kind === asked && subject === String(id)) ?? false;
  const isCorrectionAsked = (sale: Sale) => hasAsked("change_sale", sale) || hasAsked("lose_sale", sale);
  const isAsked = (sale: Sale) => hasAsked(sale.declaredAt ? "take_back_sale" : "declare_sale", sale);
  const isRemovalAsked = (sale: Sale) => hasAsked("remove_sale", sale);
  const columns = saleColumns(harvest, {
    isAsked,
    isRemovalAsked,
    isCorrectionAsked,
    onChange: mayAsk && requests.data && harvest.state !== "done" ? setChanging : null,
    onLose: mayAsk && requests.data ? setLosing : null,
    onRemove: mayAsk && requests.data ? setRemoving : null,
    onDeclare: mayAsk && requests.data ? setDeclaring : null,
    onTakeBack: mayAsk && requests.data ? setTakingBack : null,
    onCount: mayManage && isAllotted(harvest) && !isInsurance ? setCounting : null,
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
        <p className={classes.fine}>
          {isAdvance
            ? "None yet. What a buyer pays in advance waits here until the harvest is shared out."
            : "None yet. Money counts once a bank line shows it, or two owners declare it."}
        </p>
      )}
      {sales.length > 0 && (
        <DataTable label={`Sales of ${nameOf(harvest)}`} columns={columns} rows={sales} rowKey={({ id }) => id} />
      )}
      {mayManage && (
        <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAdding(true)}>
          {isInsurance ? "Add a sum…" : isAdvance ? "Add an advance…" : "Add a sale…"}
        </Button>
      )}
      <FormDialog
        opened={isAdding}
        title={`${isInsurance ? "Sum" : isAdvance ? "Advance" : "Sale"} of ${nameOf(harvest)}`}
        onClose={close}
      >
        <AddSale harvest={harvest} round={round} onClose={close} />
      </FormDialog>
      <FormDialog
        opened={counting !== null}
        title={counting ? `Quantity sold to ${counting.buyer}` : ""}
        onClose={() => setCounting(null)}
      >
        {counting && <SaleQuantity sale={counting} round={round} onClose={() => setCounting(null)} />}
      </FormDialog>
      <FormDialog
        opened={changing !== null}
        title={changing ? `Change what ${changing.buyer} pays` : ""}
        onClose={() => setChanging(null)}
      >
        {changing && <ChangeSale sale={changing} onClose={() => setChanging(null)} />}
      </FormDialog>
      <LoseSale sale={losing} onClose={() => setLosing(null)} />
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
  isCorrectionAsked: (sale: Sale) => boolean;
  /** Null for who can't ask a second person. */
  onRemove: ((sale: Sale) => void) | null;
  onChange: ((sale: Sale) => void) | null;
  onLose: ((sale: Sale) => void) | null;
  onDeclare: ((sale: Sale) => void) | null;
  onTakeBack: ((sale: Sale) => void) | null;
  /** Null while nothing has a quantity yet, and for who may only look. */
  onCount: ((sale: Sale) => void) | null;
};

/** Returns the label of a sale without a quantity, by whether it came before the allotment. */
const unmeasuredLabel = ({ createdAt }: Sale, { allottedAt }: Harvest): string =>
  allottedAt === null || createdAt < allottedAt ? "Advance" : "Further payment";

function saleColumns(harvest: Harvest, actions: SaleActions): Column<Sale>[] {
  const { sales, files, isInsurance } = harvest;
  const hasPools = sales.some(({ pool }) => pool === "uncollected");
  const quantity: Column<Sale> = {
    header: "Quantity",
    align: "end",
    render: (sale) => (sale.quantity === null ? unmeasuredLabel(sale, harvest) : quantityText(sale.quantity)),
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

type ArrivedProps = Pick<SaleActions, "isAsked" | "isRemovalAsked" | "isCorrectionAsked"> & {
  sale: Sale;
  files: Harvest["files"];
};

/** Shows the arrived money of a sale, and what the bank took back of it. */
function Arrived(props: ArrivedProps) {
  const { sale, isCorrectionAsked } = props;
  const { receivableKobo, lostKobo } = sale;
  return (
    <span className={classes.stack}>
      <Money {...props} />
      {receivableKobo > 0n && (
        <span className={classes.fine}>
          The bank took {formatNaira(receivableKobo)} back after it was settled. The buyer has to pay it again.
        </span>
      )}
      {lostKobo > 0n && <span className={classes.fine}>{formatNaira(lostKobo)} of it is lost.</span>}
      {isCorrectionAsked(sale) && <span className={classes.fine}>Another owner is asked to confirm a correction.</span>}
    </span>
  );
}

function Money({ sale, isAsked, isRemovalAsked, files }: ArrivedProps) {
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
  if (matchedKobo + sale.lostKobo >= amountKobo) return <StatusBadge tone="positive">All arrived</StatusBadge>;
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

function RowButtons(props: SaleActions & { sale: Sale }) {
  const { sale, onCount, onChange, onLose, isCorrectionAsked } = props;
  const isOpen = !isCorrectionAsked(sale);
  return (
    <ButtonRow>
      <MoneyButtons {...props} />
      {onChange && isOpen && sale.declaredAt === null && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Change amount… (${sale.buyer}, ${formatNaira(sale.amountKobo)})`}
          onClick={() => onChange(sale)}
        >
          Change amount…
        </Button>
      )}
      {onLose && isOpen && sale.receivableKobo > 0n && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Book as a loss… (${sale.buyer}, ${formatNaira(sale.receivableKobo)})`}
          onClick={() => onLose(sale)}
        >
          Book as a loss…
        </Button>
      )}
      {onCount && sale.quantity === null && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Set quantity… (${sale.buyer}, ${formatNaira(sale.amountKobo)})`}
          onClick={() => onCount(sale)}
        >
          Set quantity…
        </Button>
      )}
    </ButtonRow>
  );
}

function MoneyButtons({
  sale,
  isAsked,
  isRemovalAsked,
  onRemove,
  onDeclare,
  onTakeBack,
}: SaleActions & { sale: Sale }) {
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
    <>
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
    </>
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
