import type { ErrorComponentProps } from "@tanstack/react-router";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { PAGE_FAILED } from "#client/lib/page-failure.ts";
import { ErrorState } from "#client/ui/error-state.tsx";
import { Page } from "#client/ui/page.tsx";
import { PageTitle } from "./page-title.tsx";

/** What a route shows when its loader, guard or component failed. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isOffline = errorReason(error) === "network";
  useEffect(() => {
    if (isOffline) dispatchEvent(new Event(PAGE_FAILED));
  }, [isOffline]);
  const title = isOffline ? "You seem to be offline" : "This page could not be shown";
  return (
    <Page>
      <PageTitle>{title}</PageTitle>
      <ErrorState
        level={1}
        title={title}
        text={`${errorText(error)} Nothing you sent before was lost.`}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
        action={<Link to="/">Go to the home page</Link>}
      />
    </Page>
  );
}
