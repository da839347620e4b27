import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { ownAccountTexts as texts } from "#shared/bank/own-accounts-texts.ts";
import { formatDay } from "#shared/dates.ts";
import { CloseAccount } from "./close-account.tsx";
import type { AccountQuestion } from "./own-account-dialog.tsx";
import classes from "./settings.module.css";

const OwnAccountDialog = lazyDialog(() => import("./own-account-dialog.tsx"));

/** Every account of ours: the one that backers transfer to, and others whose statements are imported. */
export function OwnAccountsCard() {
  const query = trpc.bank.accounts.useQuery(undefined, { staleTime: 0 });
  const [asked, setAsked] = useState<AccountQuestion | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  const ask = (question: AccountQuestion) => {
    setWasAsked(true);
    setAsked(question);
  };
  return (
    <Card
      title="Own accounts"
      text="All bank accounts whose statements are imported. Backers transfer to the active one, which the bank details show; another becomes active with a second person."
    >
      {query.data ? (
        <>
          {query.data.length === 0 && <p className={classes.dimmed}>{texts.none}</p>}
          <ul className={classes.accounts}>
            {query.data.map((account) => (
              <li key={account.id} className={classes.account}>
                <div className={classes.accountWords}>
                  <strong>
                    {account.bankName} {account.accountNumber}
                  </strong>
                  <span className={classes.dimmed}>
                    {account.accountName}
                    {account.bankCode && `, bank code ${account.bankCode}`}
                  </span>
                  <span className={classes.dimmed}>
                    {account.lastDay ? `Statements up to ${formatDay(account.lastDay)}` : "No statement imported yet"}
                  </span>
                  {account.isActive && <StatusBadge tone="positive">Active: backers transfer here</StatusBadge>}
                  {account.isClosed && <StatusBadge tone="neutral">Closed</StatusBadge>}
                </div>
                <div className={classes.accountActs}>
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={`Change ${account.bankName} ${account.accountNumber}`}
                    onClick={() => ask({ act: "change", account })}
                  >
                    Change
                  </Button>
                  {!account.isActive && (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={`Make ${account.bankName} ${account.accountNumber} active`}
                      onClick={() => ask({ act: "activate", account })}
                    >
                      Make active
                    </Button>
                  )}
                  {!account.isActive && <CloseAccount account={account} />}
                </div>
              </li>
            ))}
          </ul>
          <Button className={classes.action} variant="default" onClick={() => ask({ act: "add" })}>
            Add an account
          </Button>
        </>
      ) : query.isError ? (
        <LoadFailed query={query} title={texts.fetchFailed} />
      ) : (
        <Loading label="Loading the accounts">
          <SkeletonText lines={3} />
        </Loading>
      )}
      {wasAsked && (
        <Suspense>
          <OwnAccountDialog
            asked={asked}
            active={query.data?.find(({ isActive }) => isActive)}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </Card>
  );
}
