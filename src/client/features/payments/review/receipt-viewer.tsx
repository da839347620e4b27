import { Button } from "@mantine/core";
import { IconDownload, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { paymentTexts } from "#shared/payments/texts.ts";
import classes from "./payments.module.css";

/** A payment's receipt, to read and to save. */

const PdfPages = lazyPart(() => import("./pdf-pages.tsx"));

type ReceiptViewerProps = { query: ReturnType<typeof useReceipt>["query"]; label: string };

/** The receipt to read: a picture, or a PDF's pages. It scrolls by itself, with the keyboard too. */
export function ReceiptViewer({ query, label }: ReceiptViewerProps) {
  const [isLarge, setIsLarge] = useState(false);
  if (query.isPending) {
    return (
      <div className={classes.pane}>
        <Loading label="Loading receipt">
          <Skeleton ratio="1 / 1.2" />
        </Loading>
      </div>
    );
  }
  if (query.isError) {
    const { message, detail } =
      query.error instanceof ReceiptError ? query.error : { message: paymentTexts.imageError };
    const retry = message === paymentTexts.noReceipt ? undefined : () => void query.refetch();
    return (
      <div className={classes.pane}>
        <ErrorState title={message} text={detail} onRetry={retry} isRetrying={query.isRefetching} />
      </div>
    );
  }
  return (
    <div className={classes.viewer}>
      <section
        className={classes.pane}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard couldn't scroll the receipt.
        tabIndex={0}
      >
        <div className={classes.pages} data-large={isLarge || undefined}>
          <Pages receipt={query.data} label={label} />
        </div>
      </section>
      <Button
        className={classes.zoom}
        variant="default"
        size="sm"
        leftSection={
          isLarge ? <IconZoomOut size={16} aria-hidden="true" /> : <IconZoomIn size={16} aria-hidden="true" />
        }
        aria-pressed={isLarge}
        onClick={() => setIsLarge(!isLarge)}
      >
        {isLarge ? "Fit to width" : "Zoom in"}
      </Button>
    </div>
  );
}

function Pages({ receipt: { link, blob }, label }: { receipt: Receipt; label: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  const address = useObjectUrl(blob);
  const fail = () => {
    setHasFailed(true);
    toast.error(paymentTexts.imageError, paymentTexts.receiptNotLoaded);
  };
  if (hasFailed) {
    return (
      <ErrorState
        title={paymentTexts.receiptNotLoaded}
        text="The file may be damaged or protected by a password. Download it to look at it yourself."
      />
    );
  }
  if (link.contentType === "application/pdf") {
    return (
      <Suspense fallback={<Skeleton ratio="1 / 1.4" />}>
        <PdfPages blob={blob} label={label} onFailure={fail} />
      </Suspense>
    );
  }
  return address && <img className={classes.page} src={address} alt={label} onError={fail} />;
}

function useObjectUrl(blob: Blob): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(blob);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return address;
}

export function DownloadButton({ download }: { download: () => Promise<void> }) {
  const [isPending, setIsPending] = useState(false);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden="true" />}
      loading={isPending}
      onClick={async () => {
        setIsPending(true);
        try {
          await download();
        } catch (error) {
          toast.error(paymentTexts.downloadFailed, error instanceof ReceiptError ? error.message : errorText(error));
        } finally {
          setIsPending(false);
        }
      }}
    >
      Download Receipt
    </Button>
  );
}

type ReceiptLink = RouterOutputs["receipts"]["link"];
type Receipt = { link: ReceiptLink; blob: Blob };

/** Thrown if a receipt can't be shown, with the catalogue's sentence, and the cause behind it where that helps. */
class ReceiptError extends Error {
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
export function useReceipt(paymentId: number, { hasReceipt }: { hasReceipt: boolean }) {
  const { client } = trpc.useUtils();
  const getLink = () => client.receipts.link.query({ paymentId });
  const query = useQuery({
    queryKey: ["receipt", paymentId],
    queryFn: ({ signal }) => fetchReceipt(getLink, signal),
    enabled: hasReceipt,
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
