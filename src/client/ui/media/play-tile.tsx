import { IconPlayerPlayFilled } from "@tabler/icons-react";
import classes from "./play-tile.module.css";

type PlayTileProps = {
  label: string;
  /** What playing it means: who is asked for it, what it costs. */
  note: string;
  onPlay: () => void;
};

/** Stands in a video's place until somebody wants it: before, nothing of it is fetched. */
export function PlayTile({ label, note, onPlay }: PlayTileProps) {
  return (
    <button type="button" className={classes.tile} onClick={onPlay}>
      <span className={classes.mark}>
        <IconPlayerPlayFilled size={24} aria-hidden="true" />
      </span>
      <span className={classes.label}>
        <span className="visually-hidden">Play: </span>
        {label}
      </span>
      <span className={classes.note}>{note}</span>
    </button>
  );
}
