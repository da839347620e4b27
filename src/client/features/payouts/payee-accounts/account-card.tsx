import { Button } from "@mantine/core";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Proved } from "#client/shared-parts/proved.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { payeeAccountTexts, ownMoneyTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import classes from "./my-money.module.css";
import { PayeeAccountForm } from "./payee-account-form.tsx";

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
        <OwnForm
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

type OwnFormProps = { onDone: () => void; onCancel?: () => void };

/** The person's own account: how its name compares with theirs, the server knows. */
function OwnForm({ onDone, onCancel }: OwnFormProps) {
  const utils = trpc.useUtils();
  const query = trpc.users.account.useQuery();
  const set = trpc.payeeAccounts.set.useMutation();
  return (
    <Proved query={query}>
      {(proof) => (
        <PayeeAccountForm
          note={texts.rest}
          asks={proof}
          look={async (account) => {
            const found = await utils.payeeAccounts.check.fetch(account, { staleTime: 0 });
            return [
              ...(found.isNumberUnusual ? [payeeAccountTexts.checkDigit] : []),
              ...(found.isNameUnlike ? [payeeAccountTexts.ownNameUnlike] : []),
            ];
          }}
          onSubmit={async ({ account, proof: given }) => {
            await set.mutateAsync({ ...account, ...given });
            toast.success(payeeAccountTexts.saved);
            await utils.payeeAccounts.mine.invalidate();
            onDone();
          }}
          onCancel={onCancel}
        />
      )}
    </Proved>
  );
}
