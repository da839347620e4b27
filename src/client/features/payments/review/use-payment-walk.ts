import { useRef, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterInputs, trpc } from "#client/lib/trpc.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { AdminPayment } from "./payments-search.ts";

/** The payment in the dialog, as it was when it came there: a decision is about what was seen. */
type Viewed = { payment: AdminPayment; index: number };

type PagedQuery = { hasNextPage: boolean; fetchNextPage: () => Promise<{ isFetchNextPageError: boolean }> };

export type PaymentWalk = ReturnType<typeof usePaymentWalk>;

/** So many further pages are looked through for a payment that waits. */
const PAGES_AHEAD = 10;

/**
 * The walk of the review dialog through the list as it is filtered. It loads the next page at the end of what is loaded.
 * `filter` is what the list was asked for, `query` the list.
 */
export function usePaymentWalk(filter: RouterInputs["payments"]["list"], query: PagedQuery) {
  const utils = trpc.useUtils();
  const [viewed, setViewed] = useState<Viewed | null>(null);
  const [isDone, setIsDone] = useState(false);
  const [isLoading, setIsLoading] = useState(false);
  /** Decided, or left to another owner, since the dialog was opened. */
  const handled = useRef(new Set<number>());

  // From the cache: what is on the screen may be older than the answer that a decision waited for.
  const readPages = () => utils.payments.list.getInfiniteData(filter)?.pages ?? [];
  const readRows = () => readPages().flatMap((page) => page.items);
  const isLastPage = () => (readPages().at(-1)?.nextCursor ?? null) === null;

  const view = (payment: AdminPayment, index: number) => setViewed({ payment, index });
  const close = () => {
    setViewed(null);
    setIsDone(false);
  };
  const loadMore = async (): Promise<boolean> => {
    setIsLoading(true);
    try {
      const { isFetchNextPageError } = await query.fetchNextPage();
      if (isFetchNextPageError) toast.error(paymentTexts.fetchFailed);
      return !isFetchNextPageError;
    } finally {
      setIsLoading(false);
    }
  };

  const place = viewed && placeIn(readRows(), viewed);
  const previous = () => {
    const rows = readRows();
    const index = viewed ? placeIn(rows, viewed).previous : -1;
    const payment = rows[index];
    if (payment) view(payment, index);
  };
  const next = async () => {
    if (!viewed) return;
    const findNext = () => {
      const rows = readRows();
      const index = placeIn(rows, viewed).next;
      const payment = rows[index];
      if (payment) view(payment, index);
      return payment !== undefined;
    };
    if (!findNext() && !isLastPage() && (await loadMore())) findNext();
  };

  /**
   * Goes on to the next payment that waits, or to an earlier one of the list. Closes the dialog where the list has none
   * by its status.
   */
  const goOn = async () => {
    if (!viewed || (filter.status ?? "pending") !== "pending") return close();
    handled.current.add(viewed.payment.id);
    const isWaiting = ({ id, status }: AdminPayment) => status === "pending" && !handled.current.has(id);
    const start = placeIn(readRows(), viewed).next;
    for (let pages = 0; ; pages++) {
      const rows = readRows();
      const index = rows.findIndex((payment, at) => at >= start && isWaiting(payment));
      const payment = rows[index];
      if (payment) return view(payment, index);
      if (isLastPage()) break;
      if (pages === PAGES_AHEAD || !(await loadMore())) return close();
    }
    const rows = readRows();
    const index = rows.findIndex(isWaiting);
    const payment = rows[index];
    if (payment) view(payment, index);
    else setIsDone(true);
  };

  return {
    payment: viewed?.payment ?? null,
    /** Nothing else is pending. */
    isDone,
    isLoading,
    /** Counted from 1; null where the payment is not in the list any more. */
    position: place?.position ?? null,
    hasPrevious: place !== null && place.previous >= 0,
    hasNext: place !== null && (place.next < readRows().length || query.hasNextPage),
    open: (payment: AdminPayment) => {
      handled.current.clear();
      view(payment, readRows().indexOf(payment));
    },
    previous,
    next,
    goOn,
    close,
  };
}

/** The neighbours of a payment. One that left the list leaves its place to the one behind it. */
function placeIn(rows: readonly AdminPayment[], { payment, index }: Viewed) {
  const found = rows.findIndex(({ id }) => id === payment.id);
  return found < 0
    ? { previous: index - 1, next: index, position: null }
    : { previous: found - 1, next: found + 1, position: found + 1 };
}
