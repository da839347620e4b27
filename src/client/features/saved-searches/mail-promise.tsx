import { Link } from "@tanstack/react-router";
import { useViewer } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { savedSearchTexts } from "#shared/saved-searches/texts.ts";

/** How often a saved search is mailed; to whoever switched these mails off, that it isn't. */
export function MailPromise() {
  const isSignedIn = Boolean(useViewer());
  const { data } = trpc.notifications.mailPreferences.useQuery(undefined, { enabled: isSignedIn });
  const isOff = data?.some(({ kind, isMailed }) => kind === "saved_search" && !isMailed);
  if (!isOff) return savedSearchTexts.promise;
  return (
    <>
      {savedSearchTexts.inAppOnly}{" "}
      <Link to="/profile/account" hash="emails">
        Change your emails
      </Link>
    </>
  );
}
