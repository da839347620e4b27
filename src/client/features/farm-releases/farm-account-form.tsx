import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PayeeAccountForm } from "#client/ui/forms/payee-account-form.tsx";
import { Proved } from "#client/ui/forms/proved.tsx";
import { farmReleaseTexts as texts } from "#shared/farm-releases-texts.ts";

type FarmAccountFormProps = { projectId: number; onDone: () => void };

/** Says where a farm's money goes. */
export function FarmAccountForm({ projectId, onDone }: FarmAccountFormProps) {
  const utils = trpc.useUtils();
  const query = trpc.users.account.useQuery();
  const set = trpc.farmReleases.setAccount.useMutation();
  return (
    <Proved query={query}>
      {(proof) => (
        <PayeeAccountForm
          label="The farm's account"
          note="All owners are emailed. The account rests for two days before money goes there."
          asks={proof}
          onSubmit={async ({ account, proof: given }) => {
            await set.mutateAsync({ projectId, ...account, ...given });
            toast.success(texts.accountSaved);
            await Promise.all([utils.farmReleases.invalidate(), utils.payouts.invalidate()]);
            onDone();
          }}
          onCancel={onDone}
        />
      )}
    </Proved>
  );
}
