import { useQuery } from "@tanstack/react-query";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { paymentTexts } from "#shared/payment-texts.ts";

type ReceiptLink = RouterOutputs["receipts"]["link"];
export type Receipt = { link: ReceiptLink; blob: Blob };

/** Why a receipt can't be shown: the catalogue's sentence, and what lies behind it where that helps. */
export class ReceiptError extends Error {
  readonly detail: string | undefined;
  constructor(message: string, detail?: string) {
    super(message);
    this.name = "ReceiptError";
    this.detail = detail;
  }
}

/** A payment's current receipt: its signed link, then its bytes. Throws {@link ReceiptError}. */
async function fetchReceipt(getLink: () => Promise<ReceiptLink>, signal?: AbortSignal): Promise<Receipt> {
  const link = await getLink().catch((error: unknown) => {
    if (errorReason(error) === "not_found") throw new ReceiptError(paymentTexts.noReceipt);
    throw new ReceiptError(paymentTexts.receiptUnavailable, errorText(error));
  });
  try {
    const response = await fetch(link.url, { signal: signal ?? null });
    if (!response.ok) throw new ReceiptError(paymentTexts.receiptNotLoaded);
    return { link, blob: await response.blob() };
  } catch (error) {
    if (error instanceof ReceiptError) throw error;
    throw new ReceiptError(paymentTexts.receiptNotLoaded, errorText(error));
  }
}

/** The receipt of an open dialog. Forgotten when it closes: the next look asks for what is current then. */
export function useReceipt(paymentId: number) {
  const { client } = trpc.useUtils();
  const getLink = () => client.receipts.link.query({ paymentId });
  const query = useQuery({
    queryKey: ["receipt", paymentId],
    queryFn: ({ signal }) => fetchReceipt(getLink, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  /** Saves the file under its own name. Throws {@link ReceiptError}. */
  const download = async () => save(query.data ?? (await fetchReceipt(getLink)));
  return { query, download };
}

const REVOKE_AFTER_MS = 60_000;

function save({ link, blob }: Receipt) {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = link.originalName;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}
