import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { isCancelled, uploadFile } from "#client/lib/upload.ts";
import { fileRules } from "#shared/files.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import { checkReceipt } from "./check-receipt.ts";
import { useRefreshPaymentPage } from "./use-payment-page.ts";

/** The key belongs to the file: sending it again, after whatever failure, makes no second receipt. */
type Choice = { file: File; idempotencyKey: string };

/** A receipt from choosing to the server's answer. A failure keeps the file and its key. */
export function useReceiptUpload(projectId: number, onSent: () => void) {
  const { sent, refresh } = useRefreshPaymentPage(projectId);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const mutation = useMutation({
    mutationFn: ({ file, idempotencyKey }: Choice) => {
      const controller = new AbortController();
      running.current = controller;
      setShare(0);
      const fields = { projectId: String(projectId), idempotencyKey };
      return uploadFile("/uploads/receipts", file, fields, { signal: controller.signal, onProgress: setShare });
    },
    onSuccess: (reply) => {
      toast.success(paymentTexts.uploaded);
      setChoice(null);
      sent(Number(reply.paymentId));
      onSent();
    },
    onError: (error) => {
      // Cancelled in the last moment, the receipt may have arrived all the same.
      if (isCancelled(error)) return refresh();
      toast.error(paymentTexts.uploadFailed);
      if (errorReason(error) === "invalid") setFault(errorText(error));
      else if (errorReason(error) !== "network") refresh();
    },
    onSettled: () => {
      running.current = null;
    },
  });

  return {
    file: choice?.file ?? null,
    /** What is wrong with the file; `failure` is what else went wrong. */
    fault,
    failure: mutation.isError && !fault && !isCancelled(mutation.error) ? errorText(mutation.error) : null,
    isSending: mutation.isPending,
    /** Of the bytes, 0 to 1. At 1 the server has the file and looks at it. */
    share,
    choose: (file: File | null) => {
      mutation.reset();
      setChoice(file && { file, idempotencyKey: crypto.randomUUID() });
      setFault(file && checkReceipt(file));
    },
    /** Gives whether the sending began. */
    send: (): boolean => {
      if (mutation.isPending) return false;
      // The server's own complaint is tried again: the upload may only have been cut off.
      const found = choice ? checkReceipt(choice.file) : fileRules.receipt.texts.missing;
      setFault(found);
      if (!choice || found) return false;
      mutation.mutate(choice);
      return true;
    },
    cancel: () => running.current?.abort(),
  };
}
