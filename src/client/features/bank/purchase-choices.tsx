import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatDate, formatWeekdayTime } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { countLots } from "#shared/projects/texts.ts";
import classes from "./line.module.css";

type Purchase = RouterOutputs["bank"]["purchases"][number];
type PurchaseSearchProps = {
  lineId: number;
  verb: string;
  isPending: boolean;
  onChoose: (purchase: Purchase) => void;
};

/**
 * Who agreed to buy lots and sent no receipt: a transfer that came without a reference may be theirs, and becomes their
 * payment.
 */
export function PurchaseSearch({ lineId, verb, isPending, onChoose }: PurchaseSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.purchases.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  const found = query.data ?? [];
  return (
    <>
      <SearchField
        label="Search backers"
        placeholder="Name, reference or project..."
        value={search}
        onChange={setSearch}
      />
      {query.isError && (
        <p role="alert">
          {bankTexts.purchasesFailed}. {errorText(query.error)}
        </p>
      )}
      {query.data && found.length === 0 && (
        <p role="status">
          {search
            ? `Nobody that matches “${search}” agreed to buy lots without sending a receipt.`
            : "Everybody who agreed to buy lots has sent a receipt."}
        </p>
      )}
      {found.length > 0 && (
        <>
          <p className={classes.why}>The line is their proof: it makes their payment, and we tell them.</p>
          <ul className={classes.choices} aria-label="Backers found">
            {found.map((purchase) => (
              <li key={purchase.reference} className={classes.choice}>
                <div className={classes.choiceHead}>
                  <span className={classes.who}>{purchase.backerName}</span>
                  <span className="money">{formatNairaExact(purchase.amountKobo)}</span>
                </div>
                <p>
                  {countLots(purchase.lots)} of {purchase.projectTitle},{" "}
                  <span className="reference">{purchase.reference}</span>
                </p>
                <p className={classes.why}>Agreed to the terms on {formatDate(purchase.agreedAt)}.</p>
                {purchase.hold && <StatusBadge tone="waiting">{heldText(purchase.hold.until)}</StatusBadge>}
                <Button
                  className={classes.act}
                  variant="default"
                  size="sm"
                  disabled={isPending}
                  aria-label={`${verb} ${purchase.backerName}, ${purchase.reference}`}
                  onClick={() => onChoose(purchase)}
                >
                  {verb}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const heldText = (until: Date | null): string => (until ? `Lots held until ${formatWeekdayTime(until)}` : "Lots held");
