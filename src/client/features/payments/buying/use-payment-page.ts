import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import type { Kobo } from "#shared/money.ts";

export type PaymentPage = RouterOutputs["payments"]["open"];

const keyOf = (projectId: number) => ["payment-page", projectId];

/**
 * Fetches the data of /back-project by a mutation, but keeps them like a query. They are never shown from an earlier
 * visit, because somebody is about to send money to the account in them.
 */
export function usePaymentPage(projectId: number) {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: keyOf(projectId),
    queryFn: () => client.payments.open.mutate({ projectId }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** For after a receipt was sent: `sent` shows it as received at once, `refresh` asks the server how things stand. */
export function useRefreshPaymentPage(projectId: number) {
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const refresh = useCallback(() => {
    void queryClient.invalidateQueries({ queryKey: keyOf(projectId) });
    void utils.payments.invalidate();
    void utils.projects.invalidate();
  }, [queryClient, utils, projectId]);
  const sent = useCallback(
    (paymentId: number, purchase: Purchase) => {
      queryClient.setQueryData<PaymentPage>(
        keyOf(projectId),
        (page) => page && withSentReceipt(page, paymentId, purchase),
      );
      refresh();
    },
    [queryClient, refresh, projectId],
  );
  return { sent, refresh };
}

/** A purchase: lots and their amount. */
export type Purchase = { lots: number; amountKobo: Kobo };

function withSentReceipt(page: PaymentPage, paymentId: number, purchase: Purchase): PaymentPage {
  const { reference, isTakenByOther } = page;
  return {
    ...page,
    ownPayment: {
      id: paymentId,
      projectId: page.project.id,
      status: "pending",
      ...purchase,
      reference: reference ?? "",
      rejectionReason: null,
      submittedAt: new Date(),
      roundLots: page.round.lots,
      refundDue: isTakenByOther ? "project_taken" : null,
      refundKobo: null,
      arrivedKobo: page.ownPayment?.status === "pending" ? page.ownPayment.arrivedKobo : 0n,
      restBy: page.ownPayment?.restBy ?? null,
      // A better receipt moves no promise.
      lateText: page.ownPayment?.status === "pending" ? page.ownPayment.lateText : null,
    },
  };
}
