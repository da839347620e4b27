import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import type { FocusEvent, KeyboardEvent } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { ProofForm } from "#client/shared-parts/own-proof.tsx";
import { Proved } from "#client/shared-parts/proved.tsx";
import { proofMinutes } from "#shared/accounts/texts.ts";

type ProvingDialogProps = { isOpen: boolean; onDone: () => void; onCancel: () => void };

/** Above the toasts' and other dialogs' layers: it may be asked from within one. */
const LAYER = 400;

/** Asks who is there. What it is asked for waits behind it, as it was typed. */
export default function ProvingDialog({ isOpen, onDone, onCancel }: ProvingDialogProps) {
  const account = trpc.users.account.useQuery(undefined, { enabled: isOpen });
  const prove = trpc.auth.prove.useMutation();
  // Escape is for this dialog alone; the library would close the one behind it too.
  const keepEscape = ({ target }: FocusEvent<HTMLElement>) =>
    target.setAttribute("data-mantine-stop-propagation", "true");
  const cancelOnEscape = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && !prove.isPending) onCancel();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onCancel}
      title="Is it you?"
      zIndex={LAYER}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
      onFocusCapture={keepEscape}
      onKeyDown={cancelOnEscape}
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
