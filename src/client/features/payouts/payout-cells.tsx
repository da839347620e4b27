import { Link } from "@tanstack/react-router";
import { useCan } from "#client/lib/session/session.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatDate, formatWeekdayTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { payeeAccountTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { payoutKindLabels, payoutTexts } from "#shared/payouts/texts.ts";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";

/** Columns that the lists of payouts share. */

/** Whom it is for, in a few words, for labels. */
export const payeeOf = ({ kind, personName, farmName, isClosed, account }: Payout): string => {
  if (kind === "farm") return farmName ?? "Unknown farm";
  if (kind === "sender") return account?.accountName ?? "Unknown sender";
  return personName ?? (isClosed ? (account?.accountName ?? "A closed account") : "Unknown");
};

export const referenceOf = ({ reference, part, parts }: Payout): string => payoutTexts.part(reference, part, parts);

/** With the way to what they back, for those who may manage people. */
function PayeeName({ userId, name }: { userId: string | null; name: string }) {
  if (!useCan("users:manage") || userId === null) {
    return (
      <span className={classes.name} dir="auto">
        {name}
      </span>
    );
  }
  return (
    <Link
      to="/admin/user-projects/$userId"
      params={{ userId }}
      className={`${classes.name} ${classes.link}`}
      dir="auto"
    >
      {name}
    </Link>
  );
}

export const payeeColumn: Column<Payout> = {
  header: "For",
  inCard: "head",
  render: (payout) => {
    const { kind, isBlocked, isClosed, projectTitle, userId, paymentReference, replaces, replacesRefused } = payout;
    const { lineId, lineAccountId } = payout;
    const name = payeeOf(payout);
    return (
      <span className={classes.cell}>
        <PayeeName userId={isClosed ? null : userId} name={name} />
        <span className={classes.dimmed}>
          {payoutKindLabels[kind]}
          {!lineId && `, ${projectTitle}`}
          {lineId && lineAccountId && (
            <>
              ,{" "}
              <Link to="/admin/bank" search={{ account: lineAccountId, line: lineId }} className={classes.link}>
                {projectTitle}
              </Link>
            </>
          )}
          {paymentReference && (
            <>
              , payment <span className="reference">{paymentReference}</span>
            </>
          )}
        </span>
        {replaces && (
          <span className={classes.dimmed}>
            In the place of <span className="reference">{replaces}</span>, which{" "}
            {replacesRefused ? "the bank refused" : "came back"}
          </span>
        )}
        {isBlocked && <StatusBadge tone="negative">Blocked</StatusBadge>}
        {isClosed && <StatusBadge tone="closed">Account closed</StatusBadge>}
      </span>
    );
  },
};

export const amountColumn: Column<Payout> = {
  header: "Amount",
  width: "8rem",
  align: "end",
  render: ({ amountKobo }) => <span className={`money ${classes.amount}`}>{formatNaira(amountKobo)}</span>,
};

export const referenceColumn: Column<Payout> = {
  header: "Reference",
  width: "10.5rem",
  render: (payout) => <span className="reference">{referenceOf(payout)}</span>,
};

/** Where it goes, in full, with whatever two owners should look at. */
export const accountColumn: Column<Payout> = {
  header: "Account",
  width: "16rem",
  render: ({ account }) =>
    account ? (
      <span className={classes.cell}>
        <span>
          {account.bankName} <span className={classes.dimmed}>{account.bankCode}</span>
        </span>
        <span className={classes.number}>{account.accountNumber}</span>
        <span dir="auto">{account.accountName}</span>
        {account.isChanged ? (
          <StatusBadge tone="caution">Changed account</StatusBadge>
        ) : (
          account.isNew && <StatusBadge tone="caution">New account</StatusBadge>
        )}
        {account.isNameUnlike && (
          <span className={classes.warning}>
            <StatusBadge tone="caution">Name unlike</StatusBadge>
            <span className="visually-hidden">{payeeAccountTexts.nameUnlike}</span>
          </span>
        )}
        {account.isNumberUnusual && <StatusBadge tone="caution">Check digit differs</StatusBadge>}
        {account.isEntered && <StatusBadge tone="neutral">Entered by two owners</StatusBadge>}
        {account.isResting && (
          <StatusBadge tone="waiting">Rests until {formatWeekdayTime(account.usableFrom)}</StatusBadge>
        )}
      </span>
    ) : (
      <span className={classes.dimmed}>None yet</span>
    ),
};

export const promisedColumn: Column<Payout> = {
  header: "Promised by",
  width: "8.5rem",
  render: (payout) => {
    const { promisedBy, isOverdue } = payout;
    if (!promisedBy) return null;
    return (
      <span className={classes.cell}>
        {/* The promise is the midnight that ends its day. */}
        <time dateTime={promisedBy.toISOString()}>{formatDate(new Date(promisedBy.getTime() - 1))}</time>
        {isOverdue && <PayoutBadge payout={payout} />}
      </span>
    );
  },
};
