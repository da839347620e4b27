import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?worker&url";
import { useEffect, useRef, useState } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { MAX_PHOTO_PIXELS } from "#shared/files.ts";
import classes from "./payments.module.css";

GlobalWorkerOptions.workerSrc = workerUrl;

/** Receipts have a page or two; whatever else is sent as one doesn't get to fill the memory. */
const MAX_PAGES = 10;
/** Sharp enough to read when it is shown twice as large. */
const CANVAS_WIDTH = 1400;
const MAX_CANVAS_HEIGHT = 5000;

type PdfPagesProps = { blob: Blob; label: string; onFailure: () => void };

/** A PDF as pages drawn on canvases: nothing of it runs, is linked or is filled in. */
export default function PdfPages({ blob, label, onFailure }: PdfPagesProps) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const fail = useRef(onFailure);
  fail.current = onFailure;
  useEffect(() => {
    let isGone = false;
    let task: ReturnType<typeof getDocument> | undefined;
    const open = async () => {
      const data = new Uint8Array(await blob.arrayBuffer());
      if (isGone) return;
      // The policy of our pages lets no WebAssembly run.
      task = getDocument({ data, useWasm: false, maxImageSize: MAX_PHOTO_PIXELS, verbosity: 0 });
      setPdf(await task.promise);
    };
    open().catch(() => {
      if (!isGone) fail.current();
    });
    return () => {
      isGone = true;
      void task?.destroy();
    };
  }, [blob]);

  if (!pdf) {
    return (
      <Loading label="Loading receipt">
        <Skeleton ratio="1 / 1.4" />
      </Loading>
    );
  }
  const count = Math.min(pdf.numPages, MAX_PAGES);
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <PdfPage
          // biome-ignore lint/suspicious/noArrayIndexKey: pages stay where they are.
          key={index}
          pdf={pdf}
          number={index + 1}
          label={count === 1 ? label : `${label}, page ${index + 1} of ${pdf.numPages}`}
          onFailure={onFailure}
        />
      ))}
      {pdf.numPages > count && (
        <p className={classes.viewerMore}>
          The first {count} of {pdf.numPages} pages. Download the receipt to see the rest.
        </p>
      )}
    </>
  );
}

type PdfPageProps = { pdf: PDFDocumentProxy; number: number; label: string; onFailure: () => void };

function PdfPage({ pdf, number, label, onFailure }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const fail = useRef(onFailure);
  fail.current = onFailure;
  useEffect(() => {
    let cancel: (() => void) | undefined;
    let isGone = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      const target = canvas.current;
      if (isGone || !target) return;
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: Math.min(CANVAS_WIDTH / width, MAX_CANVAS_HEIGHT / height) });
      target.width = Math.ceil(viewport.width);
      target.height = Math.ceil(viewport.height);
      const task = page.render({ canvas: target, viewport });
      cancel = () => task.cancel();
      await task.promise;
    };
    draw().catch(() => {
      if (!isGone) fail.current();
    });
    return () => {
      isGone = true;
      cancel?.();
    };
  }, [pdf, number]);
  return <canvas ref={canvas} className={classes.page} role="img" aria-label={label} />;
}
