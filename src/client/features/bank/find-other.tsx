import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { restOf, wallTexts } from "#shared/bank/texts.ts";
import { formatDate, formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { type PaymentStatus, paymentStatusLabels } from "#shared/payments/statuses.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import classes from "./line.module.css";
import { Moved } from "./moved.tsx";

type Payment = RouterOutputs["payments"]["list"]["items"][number];
type CounterLine = RouterOutputs["bank"]["counterLines"][number];

const SHOWN = 8;

type PaymentSearchProps = { verb: string; isPending: boolean; onChoose: (payment: Payment) => void };

/** Any payment, found by its reference or its backer's name. */
export function PaymentSearch({ verb, isPending, onChoose }: PaymentSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.payments.list.useQuery(
    { search },
    { enabled: search !== "", staleTime: 0, placeholderData: keepPreviousData },
  );
  const found = search === "" ? [] : (query.data?.items.slice(0, SHOWN) ?? []);
  return (
    <>
      <SearchField
        label="Search payments"
        placeholder="Reference, name or email..."
        value={search}
        onChange={setSearch}
      />
      {query.isError && (
        <p role="alert">
          {paymentTexts.fetchFailed} {errorText(query.error)}
        </p>
      )}
      {search !== "" && query.data && found.length === 0 && <p role="status">No payment matches “{search}”.</p>}
      {found.length > 0 && (
        <ul className={classes.choices} aria-label="Payments found">
          {found.map((payment) => (
            <li key={payment.id} className={classes.choice}>
              <div className={classes.choiceHead}>
                <span className={classes.who}>{payment.backerName}</span>
                <span className="money">{formatNairaExact(payment.amountKobo)}</span>
              </div>
              <p>
                {payment.projectTitle}, {payment.reference}, {formatDate(payment.submittedAt)}
              </p>
              <PaymentStatusBadge status={payment.status} />
              <Button
                className={classes.act}
                variant="default"
                size="sm"
                disabled={isPending}
                aria-label={`${verb} ${payment.backerName}, ${payment.reference}`}
                onClick={() => onChoose(payment)}
              >
                {verb}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {(query.data?.items.length ?? 0) > SHOWN && search !== "" && (
        <p className={classes.why}>There are more. Type more of the reference or the name.</p>
      )}
    </>
  );
}

type Credit = RouterOutputs["bank"]["credits"][number];
type CreditSearchProps = { lineId: number; verb: string; isPending: boolean; onChoose: (credit: Credit) => void };

/** Credits of payments on the line's account that the bank may have taken back, those of the line's amount first. */
export function CreditSearch({ lineId, verb, isPending, onChoose }: CreditSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.credits.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  const found = query.data ?? [];
  return (
    <>
      <SearchField
        label="Search credits"
        placeholder="Reference, name or text..."
        value={search}
        onChange={setSearch}
      />
      {query.isError && (
        <p role="alert">
          {wallTexts.creditsFailed}. {errorText(query.error)}
        </p>
      )}
      {query.data && found.length === 0 && (
        <p role="status">
          {search
            ? `No credit matches “${search}”.`
            : "No payment's money came to this account before, so the bank took none of it back."}
        </p>
      )}
      {found.length > 0 && (
        <ul className={classes.choices} aria-label="Credits found">
          {found.map((credit) => (
            <li key={credit.creditMatchId} className={classes.choice}>
              <div className={classes.choiceHead}>
                <span className={classes.who}>{credit.backerName}</span>
                <span className="money">{formatNairaExact(credit.standsKobo)}</span>
              </div>
              <p>
                {credit.projectTitle}, {credit.reference}
              </p>
              <p className={classes.why} dir="auto">
                {formatDay(credit.date)}: {credit.narration || "no narration"}
              </p>
              <PaymentStatusBadge status={credit.status} />
              <Button
                className={classes.act}
                variant="default"
                size="sm"
                disabled={isPending}
                aria-label={`${verb} ${credit.backerName}, ${credit.reference}, ${formatDay(credit.date)}`}
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

const PaymentStatusBadge = ({ status }: { status: PaymentStatus }) => (
  <StatusBadge tone={status === "approved" ? "positive" : status === "rejected" ? "negative" : "waiting"}>
    {paymentStatusLabels[status]}
  </StatusBadge>
);

type CounterLinesProps = {
  lineId: number;
  verb: string;
  isPending: boolean;
  /** With what is unexplained of it. */
  onChoose: (other: CounterLine, rest: bigint) => void;
};

/** The lines of other own accounts that the money may have come from or gone to. */
export function CounterLines({ lineId, verb, isPending, onChoose }: CounterLinesProps) {
  const query = trpc.bank.counterLines.useQuery({ lineId }, { staleTime: 0 });
  if (!query.data) {
    return <p role={query.isError ? "alert" : "status"}>{query.isError ? errorText(query.error) : "Looking…"}</p>;
  }
  if (query.data.length === 0) {
    return (
      <p role="status">
        No line of another of our bank accounts fits within ten days. Import that account's statement first.
      </p>
    );
  }
  return (
    <ul className={classes.choices} aria-label="Lines of our other bank accounts">
      {query.data.map((other) => {
        const rest = restOf(other);
        return (
          <li key={other.id} className={classes.choice}>
            <div className={classes.choiceHead}>
              <span className={classes.who}>
                {other.bankName} {other.accountNumber}
              </span>
              <Moved kobo={other.amountKobo} />
            </div>
            <p dir="auto">
              {formatDay(other.date)}: {other.narration || "no narration"}
            </p>
            <Button
              className={classes.act}
              variant="default"
              size="sm"
              disabled={isPending}
              aria-label={`${verb} ${formatNairaExact(rest)} of ${other.bankName}, ${formatDay(other.date)}`}
              onClick={() => onChoose(other, rest)}
            >
              {verb}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
