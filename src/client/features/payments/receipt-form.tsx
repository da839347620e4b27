import { Button } from "@mantine/core";
import { useRef } from "react";
import { createPortal } from "react-dom";
import { formatBytes } from "#client/lib/format.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FileDrop } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { UploadProgress } from "#client/ui/forms/upload-progress.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { StickyAction } from "#client/ui/layout/sticky-action.tsx";
import { fileRules } from "#shared/files.ts";
import classes from "./receipt-form.module.css";
import { useReceiptUpload } from "./use-receipt-upload.ts";

type ReceiptFormProps = {
  projectId: number;
  onSent: () => void;
  /** A way back, where the form was opened by a button. */
  onClose?: () => void;
};

/** Chooses a receipt and sends it, with percent and a way to stop. */
export function ReceiptForm({ projectId, onSent, onClose }: ReceiptFormProps) {
  const upload = useReceiptUpload(projectId, onSent);
  const form = useRef<HTMLFormElement>(null);
  const focusFile = () => form.current?.querySelector<HTMLInputElement>("input[type=file]")?.focus();
  const send = () => {
    if (!upload.send()) focusFile();
  };
  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <FileDrop
        label="Payment receipt"
        hint="JPEG, PNG, WebP or PDF, up to 10 MB"
        accept={fileRules.receipt.accept}
        file={upload.file}
        onChange={upload.choose}
        formatSize={formatBytes}
        error={upload.fault ?? undefined}
        disabled={upload.isSending}
        required
      />
      {upload.failure && (
        <Notice tone="negative" title={upload.failure} isAlert>
          <p>Your receipt was not sent, and is still chosen here. Press “Send receipt” to try again.</p>
        </Notice>
      )}
      {upload.isSending ? (
        <UploadProgress of="your receipt" share={upload.share} onCancel={upload.cancel} />
      ) : (
        <ButtonRow>
          <Button type="submit" size="lg">
            Send receipt
          </Button>
          {onClose && (
            <Button variant="default" size="lg" onClick={onClose}>
              Keep the one we have
            </Button>
          )}
        </ButtonRow>
      )}
      <LeaveGuard isActive={upload.isSending} title="Leave while your receipt is uploading?">
        Your receipt hasn't reached us yet. If you leave now, you will have to send it again.
      </LeaveGuard>
      {createPortal(
        <StickyAction of={form} until="tablet" rootMargin="0px 0px -80px">
          {upload.file && !upload.isSending ? (
            <Button size="lg" fullWidth onClick={send}>
              Send receipt
            </Button>
          ) : (
            <Button
              size="lg"
              fullWidth
              onClick={() => {
                form.current?.scrollIntoView({ behavior: "smooth", block: "center" });
                focusFile();
              }}
            >
              {upload.isSending ? `Sending, ${percentOf(upload.share)}%` : "Upload my receipt"}
            </Button>
          )}
        </StickyAction>,
        document.body,
      )}
    </form>
  );
}

const percentOf = (share: number) => Math.round(share * 100);
