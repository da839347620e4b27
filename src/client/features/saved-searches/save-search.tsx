import { Button } from "@mantine/core";
import { IconBookmark, IconBookmarkFilled } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { errorText } from "#client/lib/errors.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useFocusNext } from "#client/ui/forms/use-focus-next.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { hasFilters, type ProjectFilters } from "#shared/projects/filters-texts.ts";
import { isSameSearch, nameSearch } from "#shared/saved-searches/texts.ts";
import { MailPromise } from "./mail-promise.tsx";
import classes from "./saved-searches.module.css";

const icon = <IconBookmark size={18} stroke={1.75} aria-hidden="true" />;

/**
 * Saves what /discover shows, by one press and under a name made of its filters. A visitor signs in first, and comes
 * back here.
 */
export function SaveSearch({ filters }: { filters: ProjectFilters }) {
  const viewer = useViewer();
  const next = useLocation({ select: ({ href }) => href });
  const utils = trpc.useUtils();
  const { next: focused, moveOn } = useFocusNext();
  const isShown = hasFilters(filters);
  const mine = trpc.savedSearches.mine.useQuery(undefined, { enabled: isShown && Boolean(viewer) });
  const save = trpc.savedSearches.save.useMutation({
    onSuccess: () => {
      moveOn();
      return utils.savedSearches.mine.invalidate();
    },
    onError: (error) => toast.error("The search was not saved", errorText(error)),
  });
  if (!isShown) return null;
  const saved = mine.data?.find((search) => isSameSearch(search.filters, filters));
  return (
    <div className={classes.save} role="status">
      {saved ? (
        <p className={classes.words}>
          <IconBookmarkFilled size={18} aria-hidden="true" /> Saved as “{saved.name}”.{" "}
          <Link ref={focused} to="/profile/account" hash="searches">
            Rename or stop it
          </Link>
        </p>
      ) : viewer === null ? (
        <LinkButton to="/login" search={{ next }} variant="default" leftSection={icon}>
          Sign in to save this search
        </LinkButton>
      ) : (
        <Button
          variant="default"
          leftSection={icon}
          disabled={mine.isPending}
          loading={save.isPending}
          onClick={() => save.mutate({ name: nameSearch(filters), filters })}
        >
          Save this search
        </Button>
      )}
      <p className={classes.hint}>
        <MailPromise />
      </p>
    </div>
  );
}
