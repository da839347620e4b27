import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { ownMoneyTexts as texts } from "#shared/payee-accounts-texts.ts";
import { AccountForm } from "./account-form.tsx";
import classes from "./my-money.module.css";

type OwnAccount = RouterOutputs["payeeAccounts"]["mine"]["account"];

/** The account that a person's money goes to. `isNeeded`: money waits for it, so it is asked for at once. */
export function AccountCard({ account, isNeeded = false }: { account: OwnAccount; isNeeded?: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <SectionCard title="Where we pay to" text={account ? undefined : texts.accountText}>
      {account && (
        <div className={classes.account}>
          <p className={classes.masked}>{account.masked}</p>
          <p>{account.accountName}</p>
          {!account.isUsable && <p className={classes.fine}>{texts.resting(formatDateTime(account.usableFrom))}</p>}
        </div>
      )}
      {isOpen || (isNeeded && !account) ? (
        <ProvedForm
          onDone={() => setIsOpen(false)}
          {...((account || !isNeeded) && { onCancel: () => setIsOpen(false) })}
        />
      ) : (
        <Button className={classes.action} variant="default" onClick={() => setIsOpen(true)}>
          {account ? "Change account" : "Give an account"}
        </Button>
      )}
    </SectionCard>
  );
}

/** The form, once it is known what the account is asked for. */
function ProvedForm(props: { onDone: () => void; onCancel?: () => void }) {
  const { data: proof, error, refetch, isFetching } = trpc.users.account.useQuery();
  if (error && !proof) {
    return (
      <ErrorState
        title="This could not be loaded"
        text={errorText(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!proof) {
    return (
      <Loading>
        <SkeletonText lines={4} />
      </Loading>
    );
  }
  return <AccountForm proof={proof} {...props} />;
}
