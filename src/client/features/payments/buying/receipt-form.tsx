import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { checkFile, isCancelled, uploadFile } from "#client/lib/upload.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FileDrop, UploadProgress } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { StickyAction } from "#client/ui/layout/sticky-action.tsx";
import { fileRules } from "#shared/files.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import classes from "./back-project-page.module.css";
import { type Purchase, useRefreshPaymentPage } from "./use-payment-page.ts";

type ReceiptFormProps = {
  projectId: number;
  /** The purchase that the transfer pays; a further receipt of a pending payment doesn't change it. */
  purchase: Purchase;
  /** Where the transfer goes: phones keep it at hand until a receipt is chosen. */
  accountNumber?: string | undefined;
  onSent: () => void;
  /** A way back, where the form was opened by a button. */
  onClose?: () => void;
};

/** Chooses a receipt and sends it, with percent and a way to stop. */
export function ReceiptForm({ projectId, purchase, accountNumber, onSent, onClose }: ReceiptFormProps) {
  const upload = useReceiptUpload(projectId, purchase, onSent);
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
          ) : accountNumber && !upload.isSending ? (
            <CopyButton text={accountNumber} what="account number" size="lg" variant="filled" fullWidth isNamed />
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

/** The key belongs to the file: sending it again, after whatever failure, makes no second receipt. */
type Choice = { file: File; idempotencyKey: string };

/** A receipt from choosing to the server's answer. A failure keeps the file and its key. */
function useReceiptUpload(projectId: number, purchase: Purchase, onSent: () => void) {
  const { sent, refresh } = useRefreshPaymentPage(projectId);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [ownFault, setOwnFault] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const mutation = useMutation({
    mutationFn: ({ file, idempotencyKey }: Choice) => {
      const controller = new AbortController();
      running.current = controller;
      setShare(0);
      const fields = { projectId: String(projectId), lots: String(purchase.lots), idempotencyKey };
      return uploadFile("/uploads/receipts", file, fields, { signal: controller.signal, onProgress: setShare });
    },
    onSuccess: (reply) => {
      toast.success(paymentTexts.uploaded);
      setChoice(null);
      sent(Number(reply.paymentId), purchase);
      onSent();
    },
    onError: (error) => {
      // Cancelled in the last moment, the receipt may have arrived all the same.
      if (isCancelled(error)) return refresh();
      toast.error(paymentTexts.uploadFailed);
      if (!["invalid", "network"].includes(errorReason(error))) refresh();
    },
    onSettled: () => {
      running.current = null;
    },
  });

  // Read from the upload's state, so that no field shows it that goes again at once.
  const refusal = mutation.isError && errorReason(mutation.error) === "invalid" ? errorText(mutation.error) : null;
  const fault = ownFault ?? refusal;
  return {
    file: choice?.file ?? null,
    /** The fault of the file; `failure` is any other fault. */
    fault,
    failure: mutation.isError && !fault && !isCancelled(mutation.error) ? errorText(mutation.error) : null,
    isSending: mutation.isPending,
    /** The sent share of the bytes, 0 to 1. At 1 the server has the file and looks at it. */
    share,
    choose: (file: File | null) => {
      mutation.reset();
      setChoice(file && { file, idempotencyKey: crypto.randomUUID() });
      setOwnFault(file && checkFile("receipt", file));
    },
    /** Gives whether the sending began. */
    send: (): boolean => {
      if (mutation.isPending) return false;
      // The server's own complaint is tried again: the upload may only have been cut off.
      const found = choice ? checkFile("receipt", choice.file) : fileRules.receipt.texts.missing;
      setOwnFault(found);
      if (!choice || found) return false;
      mutation.mutate(choice);
      return true;
    },
    cancel: () => running.current?.abort(),
  };
}
