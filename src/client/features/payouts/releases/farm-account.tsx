import { Button } from "@mantine/core";
import { useState } from "react";
import { useCan } from "#client/lib/session/session.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { payeeAccountTexts } from "#shared/payouts/payee-accounts-texts.ts";
import { farmReleaseTexts as texts } from "#shared/payouts/releases-texts.ts";
import { FarmAccountForm } from "./farm-account-form.tsx";
import classes from "./farm-money.module.css";

/** Where a farm's money goes: it is the farm's account, and not a project's. */
export function FarmAccount({ farm }: { farm: RouterOutputs["farmReleases"]["account"] }) {
  const { id, name, account, waitingAccount: waiting } = farm;
  const [isOpen, setIsOpen] = useState(false);
  const mayChange = useCan("payments:process");
  return (
    <section aria-label={`The account of ${name}`}>
      <p className={classes.fine}>{texts.accountOf(name)}</p>
      {account ? (
        <div className={classes.account}>
          <p className={classes.number}>
            {account.bankName} {account.accountNumber}
          </p>
          <p>{account.accountName}</p>
          {!account.isUsable && (
            <p className={classes.fine}>Money can be sent there from {formatDateTime(account.usableFrom)} on.</p>
          )}
          {account.isNumberUnusual && <Notice tone="caution" title={payeeAccountTexts.checkDigit} />}
        </div>
      ) : (
        <p className={classes.fine}>{waiting ? texts.accountWaits : texts.accountNeeded}</p>
      )}
      {waiting && (
        <div className={classes.waiting}>
          <p className={classes.number}>
            {waiting.bankName} {waiting.accountNumber}
          </p>
          <p>{waiting.accountName}</p>
          <p className={classes.fine}>
            Entered by {waiting.askedBy} on {formatDateTime(waiting.askedAt)}. {account && texts.accountWaits}
          </p>
        </div>
      )}
      {isOpen ? (
        <div className={classes.form}>
          <FarmAccountForm farmId={id} onDone={() => setIsOpen(false)} />
        </div>
      ) : waiting || !mayChange ? null : (
        <Button className={classes.action} variant="default" onClick={() => setIsOpen(true)}>
          {account ? "Change account" : "Give the farm's account"}
        </Button>
      )}
    </section>
  );
}
