import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Page } from "#client/ui/layout/page.tsx";

/** Shown by a route whose loader, guard or component failed. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isNetwork = errorReason(error) === "network";
  // The server answers: what failed was a part of the page, and the connection is not to blame.
  const [isReached, setIsReached] = useState(false);
  useEffect(() => {
    if (!isNetwork) return;
    dispatchEvent(new Event(PAGE_FAILED));
    fetch("/healthz", { cache: "no-store" }).then(
      ({ ok }) => setIsReached(ok),
      () => setIsReached(false),
    );
  }, [isNetwork]);
  const title = isNetwork && !isReached ? "You seem to be offline" : "This page could not be shown";
  const text = isReached ? "A part of it could not be fetched. Please try again in a moment." : errorText(error);
  return (
    <Page>
      <PageTitle>{title}</PageTitle>
      <ErrorState
        level={1}
        title={title}
        text={`${text} Nothing you sent before was lost.`}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
        action={<Link to="/">Go to the home page</Link>}
      />
    </Page>
  );
}

/** Said to the window by the error page when the server wasn't reached: whoever watches the connection can help. */
export const PAGE_FAILED = "page-failed";
