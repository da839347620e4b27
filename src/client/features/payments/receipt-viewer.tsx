import { Button } from "@mantine/core";
import { IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { paymentTexts } from "#shared/payment-texts.ts";
import classes from "./receipt-viewer.module.css";
import { type Receipt, ReceiptError, type useReceipt } from "./use-receipt.ts";

const PdfPages = lazy(() => import("./pdf-pages.tsx"));

type ReceiptViewerProps = { query: ReturnType<typeof useReceipt>["query"]; label: string };

/** The receipt to read: a picture, or a PDF's pages. It scrolls by itself, with the keyboard too. */
export function ReceiptViewer({ query, label }: ReceiptViewerProps) {
  const [isLarge, setIsLarge] = useState(false);
  if (query.isPending) {
    return (
      <Loading label="Loading receipt">
        <Skeleton ratio="1 / 1.2" radius="var(--mantine-radius-md)" />
      </Loading>
    );
  }
  if (query.isError) {
    const { message, detail } =
      query.error instanceof ReceiptError ? query.error : { message: paymentTexts.imageError };
    const retry = message === paymentTexts.noReceipt ? undefined : () => void query.refetch();
    return <ErrorState title={message} text={detail} onRetry={retry} isRetrying={query.isRefetching} />;
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
