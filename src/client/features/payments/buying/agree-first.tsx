import { Button } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { useViewer } from "#client/lib/session/session.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { consentTexts } from "#shared/site/consent-texts.ts";

const TermsChangeDialog = lazyDialog(() => import("#client/shared-parts/terms-change-dialog.tsx"));

/** Shows `children`, which buy something new; in their place, while changed terms wait for an answer, the question. */
export function AgreeFirst({ children }: { children: ReactNode }) {
  const isAsked = useViewer()?.termsChange?.isInForce === true;
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (!isAsked) return children;
  return (
    <Notice tone="caution" title={consentTexts.agreeFirstTitle}>
      <p>{consentTexts.agreeFirstHint}</p>
      <ButtonRow>
        <Button
          size="sm"
          onClick={() => {
            setWasOpened(true);
            setIsOpen(true);
          }}
        >
          {consentTexts.lookFirst}
        </Button>
      </ButtonRow>
      {wasOpened && (
        <Suspense>
          <TermsChangeDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </Notice>
  );
}
