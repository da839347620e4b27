import { PayeeAccountForm } from "#client/features/payouts/payee-accounts/payee-account-form.tsx";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import { payeeAccountLimits } from "#shared/payouts/payee-accounts-texts.ts";

/** Somebody who can't give their account: a person, or whoever sent us the money of a line. */
export type EnteredPayee = { userId: string; name: string } | { lineId: number; transfer: string };

type EnterAccountProps = { payee: EnteredPayee; onClose: () => void };

/** Where money goes of somebody who can't say so themselves: one owner enters it, another confirms. */
export default function EnterAccount({ payee, onClose }: EnterAccountProps) {
  const ask = useAskSecondPerson();
  const isSender = "lineId" in payee;
  const about = isSender ? { lineId: payee.lineId } : { userId: payee.userId };
  return (
    <OpenDialog
      onClose={onClose}
      title={`Enter the account of ${isSender ? `the sender of the ${payee.transfer}` : payee.name}`}
    >
      <PayeeAccountForm
        head={
          <p>
            {isSender
              ? "Ask their bank or the sender, and compare it with the line. Another owner confirms what you enter."
              : "They can't sign in to give it themselves, so another owner confirms what you enter."}
          </p>
        }
        note={`It can be paid to ${payeeAccountLimits.restHours} hours after that.`}
        asks="reason"
        submitLabel="Send to another owner"
        onSubmit={async ({ account, reason }) => {
          await ask.mutateAsync({ kind: "enter_payee_account", details: { ...about, ...account }, reason });
          onClose();
        }}
        onCancel={onClose}
      />
    </OpenDialog>
  );
}
