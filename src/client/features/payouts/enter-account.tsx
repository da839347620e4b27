import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { PayeeAccountForm } from "#client/shared-parts/payee-account-form.tsx";
import { payeeAccountLimits } from "#shared/payouts/payee-accounts-texts.ts";

type EnterAccountProps = { payee: { userId: string; name: string }; onClose: () => void };

/** Where money goes of somebody who can't say so themselves: one owner enters it, another confirms. */
export default function EnterAccount({ payee: { userId, name }, onClose }: EnterAccountProps) {
  const ask = useAskSecondPerson();
  return (
    <Modal opened onClose={onClose} title={`Enter the account of ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
      <PayeeAccountForm
        head={<p>They can't sign in to give it themselves, so another owner confirms what you enter.</p>}
        note={`It can be paid to ${payeeAccountLimits.restHours} hours after that.`}
        asks="reason"
        submitLabel="Send to another owner"
        onSubmit={async ({ account, reason }) => {
          await ask.mutateAsync({ kind: "enter_payee_account", details: { userId, ...account }, reason });
          onClose();
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}
