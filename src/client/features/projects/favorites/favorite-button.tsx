import { IconHeart, IconHeartFilled } from "@tabler/icons-react";
import { errorReason } from "#client/lib/errors.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { favoriteTexts } from "#shared/projects/texts.ts";
import classes from "./favorite-button.module.css";

type FavoriteButtonProps = {
  project: { id: number; title: string; isFavorite?: boolean };
  /** "icon" lies on a card's picture, "text" stands beside other buttons. */
  variant?: "icon" | "text";
};

/** A heart that is filled for favorites; pressing it again takes the project from them. */
export function FavoriteButton({ project, variant = "icon" }: FavoriteButtonProps) {
  const { isFavorite, toggle } = useFavorite(project.id, project.isFavorite);
  const Icon = isFavorite ? IconHeartFilled : IconHeart;
  return (
    <button
      type="button"
      className={classes.button}
      data-variant={variant}
      aria-pressed={isFavorite}
      aria-label={variant === "icon" ? `Favorite ${project.title}` : undefined}
      onClick={toggle}
    >
      <Icon size={20} aria-hidden="true" />
      {variant === "text" && "Favorite"}
    </button>
  );
}

/**
 * Returns whether the project is a favorite of the person, and the way to change it. The heart changes at once and
 * changes back when the server refuses. `known` is the answer of the project's own page, until the list of ids is here.
 */
function useFavorite(projectId: number, known = false) {
  const viewer = useViewer();
  const utils = trpc.useUtils();
  const ids = trpc.favorites.ids.useQuery(undefined, { enabled: Boolean(viewer) });
  const isFavorite = Boolean(viewer) && (ids.data?.includes(projectId) ?? known);

  const mark = (isMarked: boolean) => {
    // A list that is still on its way would change the heart back.
    void utils.favorites.ids.cancel();
    const others = ids.data?.filter((id) => id !== projectId) ?? [];
    utils.favorites.ids.setData(undefined, isMarked ? [projectId, ...others] : others);
  };
  // Not awaited: while the lists come back, the heart takes the next press.
  const settle = () => {
    void utils.favorites.ids.invalidate();
    void utils.favorites.mine.invalidate();
  };

  const add = trpc.favorites.add.useMutation({
    onMutate: () => mark(true),
    onSuccess: () => toast.success(favoriteTexts.added),
    onError: (error) => {
      const reason = errorReason(error);
      if (reason === "conflict") return toast.info(favoriteTexts.already);
      mark(false);
      toast.error(reason === "unauthenticated" ? favoriteTexts.signIn : favoriteTexts.failed);
    },
    onSettled: settle,
  });
  const remove = trpc.favorites.remove.useMutation({
    onMutate: () => mark(false),
    onSuccess: () => toast.success("Project removed from favorites"),
    onError: () => {
      mark(true);
      toast.error("Failed to remove favorite");
    },
    onSettled: settle,
  });

  const toggle = () => {
    if (add.isPending || remove.isPending) return;
    if (viewer === null) toast.error(favoriteTexts.signIn);
    else if (isFavorite) remove.mutate({ projectId });
    else add.mutate({ projectId });
  };
  return { isFavorite, toggle };
}
