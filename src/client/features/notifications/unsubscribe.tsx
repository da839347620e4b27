import { Button } from "@mantine/core";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { kindTexts, notificationTexts } from "#shared/notifications/texts.ts";
import classes from "./email-preferences.module.css";

const settingsLink = (
  <LinkButton to="/profile/account" hash="emails" variant="default">
    Choose which emails you get
  </LinkButton>
);

/** The page of a mail's link: it asks first, says what is switched off, and takes it back. No sign-in is needed. */
export function Unsubscribe({ token }: { token: string }) {
  const utils = trpc.useUtils();
  const link = trpc.notifications.mailLink.useQuery({ token }, { staleTime: 0 });
  const change = trpc.notifications.setMailPreferenceByLink.useMutation({
    onSuccess: (_nothing, { isMailed }) => {
      utils.notifications.mailLink.setData({ token }, (shown) => shown && { ...shown, isMailed });
    },
    onError: (error) => toast.error("Your choice could not be saved", errorText(error)),
  });
  if (link.error && !link.data) {
    const isBroken = errorReason(link.error) === "not_found";
    return (
      <ErrorState
        level={1}
        title={isBroken ? "This link did not work" : "This page could not be loaded"}
        text={isBroken ? notificationTexts.brokenLink : errorText(link.error)}
        {...(!isBroken && { onRetry: () => void link.refetch(), isRetrying: link.isFetching })}
        action={settingsLink}
      />
    );
  }
  if (!link.data) {
    return (
      <Loading label="Loading your emails">
        <div className={classes.card}>
          <SkeletonText lines={4} />
        </div>
      </Loading>
    );
  }
  const { kind, isMailed } = link.data;
  const { label, when } = kindTexts[kind];
  return (
    <section className={classes.card} role="status">
      <h1 className={classes.title}>
        {isMailed ? `Stop emails about “${label}”?` : "You get no more of these emails"}
      </h1>
      <p className={classes.text}>
        {isMailed
          ? `They come when this happens: ${when} Everything is still in your notifications.`
          : `Emails about “${label}” are switched off. Everything is still in your notifications.`}
      </p>
      <Button
        variant={isMailed ? "filled" : "default"}
        loading={change.isPending}
        onClick={() => change.mutate({ token, isMailed: !isMailed })}
      >
        {isMailed ? "Stop these emails" : "Undo: switch them on again"}
      </Button>
      {settingsLink}
    </section>
  );
}
