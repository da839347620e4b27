import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { ownAccountTexts as texts } from "#shared/bank/own-accounts-texts.ts";

type Account = RouterOutputs["bank"]["accounts"][number];

/** Closes an account that backers don't transfer to, or opens it again. */
export function CloseAccount({ account }: { account: Account }) {
  const { id: accountId, updatedAt: seenUpdatedAt, isClosed, bankName, accountNumber } = account;
  const utils = trpc.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const said = (text: string) => ({
    onSuccess: () => toast.success(text),
    onError: (error: unknown) => toast.error(texts.notChanged, errorText(error)),
    onSettled: async () => {
      setIsAsking(false);
      await utils.bank.invalidate();
    },
  });
  const close = trpc.bank.closeAccount.useMutation(said(texts.closed));
  const reopen = trpc.bank.reopenAccount.useMutation(said(texts.reopened));
  if (isClosed) {
    return (
      <Button
        variant="default"
        size="sm"
        aria-label={`Open ${bankName} ${accountNumber} again`}
        loading={reopen.isPending}
        onClick={() => reopen.mutate({ accountId, seenUpdatedAt })}
      >
        Open again
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={`Close ${bankName} ${accountNumber}`}
        onClick={() => setIsAsking(true)}
      >
        Close…
      </Button>
      <LazyConfirmDialog
        opened={isAsking}
        title={`Close ${bankName} ${accountNumber}?`}
        confirmLabel="Close the account"
        isPending={close.isPending}
        onConfirm={() => close.mutate({ accountId, seenUpdatedAt })}
        onClose={() => setIsAsking(false)}
      >
        <p>{texts.closing}</p>
      </LazyConfirmDialog>
    </>
  );
}
