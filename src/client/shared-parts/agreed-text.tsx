import { Anchor } from "@mantine/core";
import { Suspense, useState } from "react";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { agreedTextName } from "#shared/site/consent-texts.ts";
import { type OwnPage, pageTitles } from "#shared/site/pages.ts";

const AgreedTextDialog = lazyDialog(() => import("./agreed-text-dialog.tsx"));

type AgreedTextProps = {
  sha256: string;
  version: number;
  page?: OwnPage;
  /** A suffix for screen readers, where several stand on a page. */
  of?: string;
};

/** The name of a text that somebody agreed to. It opens the words as they were then. */
export function AgreedText({ sha256, version, page = "terms", of }: AgreedTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const name = agreedTextName(pageTitles[page], version);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        inherit
        aria-haspopup="dialog"
        aria-label={of && `${name}, ${of}`}
        onClick={() => {
          setWasOpened(true);
          setIsOpen(true);
        }}
      >
        {name}
      </Anchor>
      {wasOpened && (
        <Suspense>
          <AgreedTextDialog isOpen={isOpen} title={name} sha256={sha256} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
