import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { ProofForm } from "#client/shared-parts/own-proof.tsx";
import { Proved } from "#client/shared-parts/proved.tsx";
import { ownEscape } from "#client/ui/feedback/own-escape.ts";
import { proofMinutes } from "#shared/accounts/texts.ts";

export type ProvingDialogProps = { isOpen: boolean; onDone: () => void; onCancel: () => void };

/** Above the toasts' and other dialogs' layers: it may be asked from within one. */
const LAYER = 400;

/** Asks who is there. What it is asked for waits behind it, as it was typed. */
export default function ProvingDialog({ isOpen, onDone, onCancel }: ProvingDialogProps) {
  const account = trpc.users.account.useQuery(undefined, { enabled: isOpen });
  const prove = trpc.auth.prove.useMutation();
  return (
    <Modal
      opened={isOpen}
      onClose={onCancel}
      title="Is it you?"
      zIndex={LAYER}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
      {...ownEscape(() => {
        if (!prove.isPending) onCancel();
      })}
    >
      <Proved query={account}>
        {(wanted) => (
          <ProofForm
            account={wanted}
            submitLabel="Go on"
            onCancel={onCancel}
            onSubmit={async (proof) => {
              await prove.mutateAsync(proof);
              onDone();
            }}
          >
            <p>
              This may move money or change who runs the site, so it takes your password
              {wanted.isCodeAsked && " and a code"}. You aren't asked again for {proofMinutes} minutes.
            </p>
          </ProofForm>
        )}
      </Proved>
    </Modal>
  );
}
