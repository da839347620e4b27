import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";

/** Withdraws an entry that nobody has decided yet. */
export function WithdrawPast({ withdraw }: { withdraw: () => Promise<unknown> }) {
  const [isAsked, setIsAsked] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const send = async () => {
    setIsPending(true);
    try {
      await withdraw();
      toast.success(texts.withdrawn);
    } catch (error) {
      toast.error(texts.withdrawFailed, errorText(error));
    }
    setIsPending(false);
    setIsAsked(false);
  };
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setIsAsked(true)}>
        Withdraw…
      </Button>
      <LazyConfirmDialog
        opened={isAsked}
        title="Withdraw it?"
        confirmLabel="Withdraw"
        isDangerous
        isPending={isPending}
        onConfirm={() => void send()}
        onClose={() => setIsAsked(false)}
      >
        The entry and its files are removed. You can enter it anew.
      </LazyConfirmDialog>
    </>
  );
}
