import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import classes from "./bank.module.css";
import type { Account, BankSearch } from "./bank-search.ts";

type AccountFiguresProps = { accounts: readonly Account[]; shown: Account; inTransitKobo: Kobo; search: BankSearch };

/** Shows an account's balance at the bank and in the ledger, and the difference. */
export function AccountFigures({ accounts, shown, inTransitKobo, search }: AccountFiguresProps) {
  return (
    <div className={classes.accounts}>
      {accounts.map((account) => (
        <section
          key={account.id}
          className={classes.account}
          data-shown={(accounts.length > 1 && account.id === shown.id) || undefined}
          aria-labelledby={`account-${account.id}`}
        >
          <header className={classes.accountHead}>
            <h2 className={classes.accountName} id={`account-${account.id}`}>
              {accounts.length > 1 ? (
                <Link
                  to="/admin/bank"
                  search={{ account: account.id, tab: search.tab, view: search.view }}
                  resetScroll={false}
                  aria-current={account.id === shown.id ? "page" : undefined}
                >
                  {account.bankName}
                </Link>
              ) : (
                account.bankName
              )}
            </h2>
            <span className={classes.number}>{account.accountNumber}</span>
            {account.isClosed && <StatusBadge tone="neutral">Closed</StatusBadge>}
            {account.isActive && <StatusBadge tone="positive">Backers transfer here</StatusBadge>}
          </header>
          <dl className={classes.figures}>
            <div>
              <dt>Bank</dt>
              <dd className="money">{account.bankKobo === null ? "–" : formatNairaExact(account.bankKobo)}</dd>
            </div>
            <div>
              <dt>Ledger</dt>
              <dd className="money">{formatNairaExact(account.ledgerKobo)}</dd>
            </div>
            <div>
              <dt>Difference</dt>
              <dd>
                <Difference account={account} />
              </dd>
            </div>
          </dl>
          <p className={classes.meaning}>
            {account.lastDay ? `Statements up to ${formatDay(account.lastDay)}. ` : ""}
            {meaningOf(account, inTransitKobo)}
          </p>
        </section>
      ))}
    </div>
  );
}

function Difference({ account: { differenceKobo } }: { account: Account }) {
  if (differenceKobo === null) return "–";
  const agrees = differenceKobo === 0n;
  const Icon = agrees ? IconCircleCheck : IconAlertTriangle;
  return (
    <span className={classes.difference} data-tone={agrees ? "positive" : "caution"}>
      <Icon size={20} aria-hidden="true" />
      <span className="money">{formatNairaExact(differenceKobo)}</span>
    </span>
  );
}

function meaningOf({ differenceKobo, gapsKobo }: Account, inTransitKobo: Kobo): string {
  if (differenceKobo === null) {
    return `No statement was imported yet, so nothing shows that the ${formatNairaExact(inTransitKobo)} in transit arrived.`;
  }
  if (differenceKobo === 0n) return "Bank and ledger agree.";
  const kobo = formatNairaExact(differenceKobo < 0n ? -differenceKobo : differenceKobo);
  if (differenceKobo === gapsKobo) {
    return `${kobo} are missing in the statements, as was accepted when they were imported. Import the missing days to close the gap.`;
  }
  return differenceKobo > 0n
    ? `The bank has ${kobo} more than our ledger. Some days may be missing in the statements.`
    : `The bank has ${kobo} less than our ledger. Some days may be missing in the statements.`;
}
