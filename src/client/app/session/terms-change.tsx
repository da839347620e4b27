import { useState } from "react";
import { siteStorage } from "#client/lib/browser-storage.ts";
import type { Viewer } from "#client/lib/session/session.ts";
import TermsChangeDialog from "#client/shared-parts/terms-change-dialog.tsx";

const PUT_OFF = "terms-put-off";

/**
 * Asks a reader to agree to changed terms: on each page load while they are in force, and once before. Who puts an announced
 * change off isn't asked about it again in this browser until its day.
 */
export default function TermsChange({ version, isInForce }: NonNullable<Viewer["termsChange"]>) {
  const [isOpen, setIsOpen] = useState(() => isInForce || siteStorage.read(PUT_OFF) !== String(version));
  const putOff = () => {
    if (!isInForce) siteStorage.keep(PUT_OFF, String(version));
    setIsOpen(false);
  };
  return <TermsChangeDialog isOpen={isOpen} onClose={putOff} />;
}
