import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PayeeAccountForm } from "#client/ui/forms/payee-account-form.tsx";
import { payeeAccountLimits } from "#shared/payee-accounts-texts.ts";
import { secondPersonTexts } from "#shared/second-person-texts.ts";

type EnterAccountProps = { payee: { userId: string; name: string }; onClose: () => void };

/** Where money goes of somebody who can't say so themselves: one owner enters it, another confirms. */
export default function EnterAccount({ payee: { userId, name }, onClose }: EnterAccountProps) {
  const utils = trpc.useUtils();
  const ask = trpc.secondPerson.ask.useMutation({ onSettled: () => utils.secondPerson.list.invalidate() });
  return (
    <Modal opened onClose={onClose} title={`Enter the account of ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
      <PayeeAccountForm
        head={<p>They can't sign in to give it themselves, so another owner confirms what you enter.</p>}
        note={`It can be paid to ${payeeAccountLimits.restHours} hours after that.`}
        asks="reason"
        submitLabel="Ask for a second person"
        onSubmit={async ({ account, reason }) => {
          await ask.mutateAsync({ kind: "enter_payee_account", details: { userId, ...account }, reason });
          toast.success(secondPersonTexts.asked);
          onClose();
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}
