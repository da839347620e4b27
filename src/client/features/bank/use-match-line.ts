import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import type { Line } from "./bank-search.ts";

/** Explains parts of a line as it was seen. Whatever came of it, the bank's screens look again. */
export function useMatchLine(line: Line) {
  const utils = trpc.useUtils();
  const match = trpc.bank.match.useMutation({
    onSuccess: () => toast.success(bankTexts.explained),
    onSettled: async () => {
      void utils.payments.invalidate();
      void utils.payouts.invalidate();
      await utils.bank.invalidate();
    },
  });
  return {
    isPending: match.isPending,
    /** A refusal is thrown. */
    explain: async (parts: LinePart[]): Promise<void> => {
      if (!match.isPending) await match.mutateAsync({ lineId: line.id, seenMatchedKobo: line.matchedKobo, parts });
    },
  };
}

/** Where nothing was typed that a refusal could stand beside. */
export const showRefusal = (error: unknown): void => toast.error(bankTexts.explainFailed, errorText(error));
