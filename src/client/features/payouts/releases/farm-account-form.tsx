import { PayeeAccountForm } from "#client/features/payouts/payee-accounts/payee-account-form.tsx";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { trpc } from "#client/lib/trpc.ts";
import { payeeAccountLimits } from "#shared/payouts/payee-accounts-texts.ts";

type FarmAccountFormProps = { farmId: number; onDone: () => void };

/** Says where a farm's money goes, for another owner to confirm. */
export function FarmAccountForm({ farmId, onDone }: FarmAccountFormProps) {
  const utils = trpc.useUtils();
  const ask = useAskSecondPerson(() => utils.farmReleases.invalidate());
  return (
    <PayeeAccountForm
      label="The farm's account"
      note={`Another owner confirms it, and all owners are emailed. Money can go there ${payeeAccountLimits.restHours} hours after that.`}
      asks="reason"
      submitLabel="Send to another owner"
      onSubmit={async ({ account, reason }) => {
        await ask.mutateAsync({ kind: "set_farm_account", details: { farmId, ...account }, reason });
        onDone();
      }}
      onCancel={onDone}
    />
  );
}
