import { Button } from "@mantine/core";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";

const discover = (
  <LinkButton to="/discover" variant="default">
    Discover farms
  </LinkButton>
);

/** What the link in a mail opens: asks first, because programs that look for viruses open every link. No sign-in is needed. */
export function StopSearch({ token }: { token: string }) {
  const link = trpc.savedSearches.byLink.useQuery({ token }, { staleTime: 0 });
  const stop = trpc.savedSearches.stopByLink.useMutation({
    onError: (error) => toast.error("The search was not stopped", errorText(error)),
  });
  if (link.error && !link.data) {
    const isGone = errorReason(link.error) === "not_found";
    return (
      <ErrorState
        level={1}
        title={isGone ? "There is nothing to stop" : "This page could not be loaded"}
        text={errorText(link.error)}
        {...(!isGone && { onRetry: () => void link.refetch(), isRetrying: link.isFetching })}
        action={discover}
      />
    );
  }
  if (!link.data) {
    return (
      <Loading label="Loading your search">
        <SkeletonText lines={4} />
      </Loading>
    );
  }
  const { name } = link.data;
  return (
    <div role="status">
      {stop.isSuccess ? (
        <SectionCard level={1} title={`“${name}” is stopped`} text="We mail you about it no more.">
          {discover}
        </SectionCard>
      ) : (
        <SectionCard
          level={1}
          title={`Stop the search “${name}”?`}
          text="We mail you no more when a new farm fits it. You can save it again on Discover."
        >
          <Button loading={stop.isPending} onClick={() => stop.mutate({ token })}>
            Stop this search
          </Button>
        </SectionCard>
      )}
    </div>
  );
}
