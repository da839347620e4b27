import { IconHeart, IconHeartFilled } from "@tabler/icons-react";
import classes from "./favorite-button.module.css";
import { useFavorite } from "./use-favorite.ts";

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
