import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { RichText } from "#client/ui/media/rich-text.tsx";
import { consentTexts } from "#shared/site/consent-texts.ts";

type AgreedTextDialogProps = { isOpen: boolean; title: string; sha256: string; onClose: () => void };

/** A text word for word as it was agreed to. */
export default function AgreedTextDialog({ isOpen, title, sha256, onClose }: AgreedTextDialogProps) {
  const text = trpc.site.agreedText.useQuery({ sha256 }, { enabled: isOpen });
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="xl" closeButtonProps={{ "aria-label": "Close" }}>
      {text.data ? (
        <RichText html={text.data.html} />
      ) : text.error ? (
        <LoadFailed query={text} title={consentTexts.fetchFailed} />
      ) : (
        <Loading label="Loading the text">
          <SkeletonText lines={8} />
        </Loading>
      )}
    </Modal>
  );
}
