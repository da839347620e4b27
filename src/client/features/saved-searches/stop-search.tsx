import { Button } from "@mantine/core";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { useFocusNext } from "#client/ui/forms/use-focus-next.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";

const discover = (
  <LinkButton to="/discover" variant="default">
    Discover farms
  </LinkButton>
);

/**
 * The page of a mail's link: it asks first, because programs that look for viruses open every link. No sign-in is
 * needed.
 */
export function StopSearch({ token }: { token: string }) {
  const utils = trpc.useUtils();
  const { next, moveOn } = useFocusNext();
  const link = trpc.savedSearches.byLink.useQuery({ token }, { staleTime: 0 });
  const onSuccess = () => {
    moveOn();
    return utils.savedSearches.invalidate();
  };
  const stop = trpc.savedSearches.stopByLink.useMutation({
    onSuccess,
    onError: (error) => toast.error("The search was not stopped", errorText(error)),
  });
  const undo = trpc.savedSearches.undoStopByLink.useMutation({
    onSuccess,
    onError: (error) => toast.error("The search is still stopped", errorText(error)),
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
  const { name, isStopped } = link.data;
  return (
    <div role="status">
      {isStopped ? (
        <SectionCard level={1} title={`“${name}” is stopped`} text="We mail you about it no more.">
          <ButtonRow>
            <Button ref={next} variant="default" loading={undo.isPending} onClick={() => undo.mutate({ token })}>
              Undo
            </Button>
            {discover}
          </ButtonRow>
        </SectionCard>
      ) : (
        <SectionCard
          level={1}
          title={`Stop the search “${name}”?`}
          text="We mail you no more when a new farm fits it. You can take that back."
        >
          <Button ref={next} loading={stop.isPending} onClick={() => stop.mutate({ token })}>
            Stop this search
          </Button>
        </SectionCard>
      )}
    </div>
  );
}
