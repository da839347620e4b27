import { useRef } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterInputs, trpc } from "#client/lib/trpc.ts";
import { paymentStatusUpdated, paymentTexts } from "#shared/payments/texts.ts";

export type SetStatus = ReturnType<typeof useSetStatus>;

/** "refused": the payment is no longer what was seen; "failed": the same may be tried again. */
type Outcome = "done" | "refused" | "failed" | "ignored";

/** Sets one payment's status at a time: a second update while one runs is ignored. The list follows, also a failure. */
export function useSetStatus() {
  const utils = trpc.useUtils();
  const isRunning = useRef(false);
  const mutation = trpc.payments.setStatus.useMutation({
    onSuccess: ({ status }) => {
      toast.success(paymentStatusUpdated(status));
      void utils.projects.invalidate();
    },
    onError: (error) => toast.error(paymentTexts.updateFailed, errorText(error)),
    onSettled: async () => {
      isRunning.current = false;
      void utils.payments.statusCounts.invalidate();
      await utils.payments.list.invalidate();
    },
  });
  return {
    isPending: mutation.isPending,
    setStatus: async (input: RouterInputs["payments"]["setStatus"]): Promise<Outcome> => {
      if (isRunning.current) return "ignored";
      isRunning.current = true;
      try {
        await mutation.mutateAsync(input);
        return "done";
      } catch (error) {
        const reason = errorReason(error);
        return reason === "network" || reason === "internal" || reason === "unavailable" ? "failed" : "refused";
      }
    },
  };
}
