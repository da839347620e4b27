import { Act } from "#client/features/payments/review/act.tsx";
import { trpc } from "#client/lib/trpc.ts";

type StrikeActProps = { paymentId: number; onPress: () => void };

/** Offers to strike a payment, or says what to do instead while its approval can still be taken back. */
export function StrikeAct({ paymentId, onPress }: StrikeActProps) {
  const details = trpc.payments.details.useQuery({ paymentId }, { staleTime: 0 });
  if (details.isPending) return null;
  // Where it couldn't be asked, the server still refuses what can't be done.
  const refusal = details.data?.strikeRefusal ?? null;
  return (
    <Act label="Strike the payment…" onPress={refusal === null ? onPress : null}>
      It never came, or the bank took it back? {refusal}
    </Act>
  );
}
