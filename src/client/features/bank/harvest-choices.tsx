import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { harvestLineTexts, wallTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./line.module.css";

type Sale = RouterOutputs["bank"]["sales"][number];
type Harvest = RouterOutputs["bank"]["harvests"][number];

/** "Harvest 2 of Ponds at Epe", or the insurer's sum for it. */
export const harvestName = ({
  number,
  projectTitle,
  isInsurance,
}: Pick<Harvest, "number" | "projectTitle" | "isInsurance">): string =>
  `${isInsurance ? `Insurer's sum ${number}` : `Harvest ${number}`} of ${projectTitle}`;

type Search<Row> = { lineId: number; verb: string; isPending: boolean; onChoose: (row: Row) => void };

type SaleSearchProps = Omit<Search<Sale>, "onChoose"> & {
  /** The amount to match. */
  amountKobo: bigint;
  /** With `isRaised` the sale's amount rises by what is more than missing. */
  onChoose: (sale: Sale, isRaised: boolean) => void;
};

/** Sales, those that miss the line's amount first. */
export function SaleSearch({ lineId, verb, isPending, amountKobo, onChoose }: SaleSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.sales.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  return (
    <>
      <SearchField label="Search sales" placeholder="Buyer or project..." value={search} onChange={setSearch} />
      <Looking
        query={query}
        failed={harvestLineTexts.salesFailed}
        none={search ? `No sale matches “${search}”.` : "There is no sale yet. Write the sale down first."}
      />
      {query.data && query.data.length > 0 && (
        <ul className={classes.choices} aria-label="Sales found">
          {query.data.map((sale) => (
            <li key={sale.id} className={classes.choice}>
              <div className={classes.choiceHead}>
                <span className={classes.who}>{sale.buyer}</span>
                <span className="money">{formatNairaExact(sale.missingKobo)}</span>
              </div>
              <p>
                {harvestName(sale)}.{" "}
                {sale.missingKobo === 0n
                  ? `All ${formatNairaExact(sale.amountKobo)} has arrived.`
                  : sale.missingKobo < sale.amountKobo &&
                    `${formatNairaExact(sale.missingKobo)} of ${formatNairaExact(sale.amountKobo)} missing.`}
              </p>
              {sale.missingKobo > 0n && (
                <Button
                  className={classes.act}
                  variant="default"
                  size="sm"
                  disabled={isPending}
                  aria-label={`${verb} ${sale.buyer}, ${harvestName(sale)}`}
                  onClick={() => onChoose(sale, false)}
                >
                  {verb}
                </Button>
              )}
              {amountKobo > sale.missingKobo && sale.declaredAt === null && (
                <Button
                  className={classes.act}
                  variant="default"
                  size="sm"
                  disabled={isPending}
                  aria-label={`${verb} all of it for ${sale.buyer}, ${harvestName(sale)}`}
                  onClick={() => onChoose(sale, true)}
                >
                  {`${verb} all: the sale rises to ${formatNairaExact(sale.amountKobo + amountKobo - sale.missingKobo)}`}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type SaleCredit = RouterOutputs["bank"]["saleCredits"][number];

/** Credits of buyers on the line's account that the bank may have taken back, those of the line's amount first. */
export function SaleCreditSearch({ lineId, verb, isPending, onChoose }: Search<SaleCredit>) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.saleCredits.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  return (
    <>
      <SearchField label="Search buyers' money" placeholder="Buyer or project..." value={search} onChange={setSearch} />
      <Looking
        query={query}
        failed={wallTexts.creditsFailed}
        none={
          search
            ? `No buyer's money matches “${search}”.`
            : "No buyer's money came to this account before, so the bank took none of it back."
        }
      />
      {query.data && query.data.length > 0 && (
        <ul className={classes.choices} aria-label="Buyers' money found">
          {query.data.map((credit) => (
            <li key={credit.creditMatchId} className={classes.choice}>
              <div className={classes.choiceHead}>
                <span className={classes.who}>{credit.buyer}</span>
                <span className="money">{formatNairaExact(credit.standsKobo)}</span>
              </div>
              <p>{harvestName(credit)}.</p>
              <p className={classes.why} dir="auto">
                {formatDay(credit.date)}: {credit.narration || "no narration"}
              </p>
              <Button
                className={classes.act}
                variant="default"
                size="sm"
                disabled={isPending}
                aria-label={`${verb} ${credit.buyer}, ${formatDay(credit.date)}`}
                onClick={() => onChoose(credit)}
              >
                {verb}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Harvests that the platform may have paid a cost of, those with costs that no line shows first. */
export function HarvestSearch({ lineId, verb, isPending, onChoose }: Search<Harvest>) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.harvests.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  return (
    <>
      <SearchField label="Search harvests" placeholder="Project..." value={search} onChange={setSearch} />
      <Looking
        query={query}
        failed={harvestLineTexts.harvestsFailed}
        none={search ? `No harvest matches “${search}”.` : "There is no harvest yet."}
      />
      {query.data && query.data.length > 0 && (
        <ul className={classes.choices} aria-label="Harvests found">
          {query.data.map((harvest) => (
            <li key={harvest.id} className={classes.choice}>
              <span className={classes.who}>{harvestName(harvest)}</span>
              {harvest.unseenKobo > 0n && (
                <p>{formatNairaExact(harvest.unseenKobo)} of its costs are written down, and no line shows them yet.</p>
              )}
              <Button
                className={classes.act}
                variant="default"
                size="sm"
                disabled={isPending}
                aria-label={`${verb} ${harvestName(harvest)}`}
                onClick={() => onChoose(harvest)}
              >
                {verb}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type LookingProps = {
  query: { data: readonly unknown[] | undefined; isError: boolean; error: unknown };
  failed: string;
  none: string;
};

export function Looking({ query: { data, isError, error }, failed, none }: LookingProps) {
  if (!data)
    return <p role={isError ? "alert" : "status"}>{isError ? `${failed}. ${errorText(error)}` : "Looking…"}</p>;
  return data.length === 0 ? <p role="status">{none}</p> : null;
}
