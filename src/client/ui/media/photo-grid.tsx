import classes from "./photo-grid.module.css";
import { MissingPicture, Picture, useMissing } from "./picture.tsx";
import { usePhotoViewer } from "./use-photo-viewer.tsx";

type GridPhoto = {
  url: string;
  /** The photo's description; empty where nobody gave one. */
  altText?: string;
  width?: number;
  height?: number;
};

type PhotoGridProps = {
  /** Heads the viewer. */
  title: string;
  /** A name for what the photos belong to, as in "the report of 12 Jun 2026": it names photos without a description. */
  of: string;
  photos: readonly GridPhoto[];
};

/** A few photos side by side. Each opens large, with the way to the others. */
export function PhotoGrid({ title, of, photos }: PhotoGridProps) {
  const viewed = photos.map(({ altText, ...photo }, place) => ({
    ...photo,
    label: altText || `Photo ${place + 1} of ${photos.length} of ${of}`,
  }));
  const { open, viewer } = usePhotoViewer(title, viewed);
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={classes.photos}>
        {viewed.map(({ url, label }, place) => (
          <li key={url}>
            <PhotoTile url={url} label={label} isAlone={photos.length === 1} onOpen={(tile) => open(place, tile)} />
          </li>
        ))}
      </ul>
      {viewer}
    </>
  );
}

type PhotoTileProps = { url: string; label: string; isAlone: boolean; onOpen: (tile: HTMLElement) => void };

function PhotoTile({ url, label, isAlone, onOpen }: PhotoTileProps) {
  const { isMissing, ...watched } = useMissing(url);
  if (isMissing)
    return <MissingPicture className={classes.photo ?? ""} label={`${label}, which could not be loaded`} />;
  return (
    <button
      type="button"
      className={classes.photo}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      <Picture
        src={url}
        alt={`${label}, opens large`}
        sizes={isAlone ? "(min-width: 26em) 24rem, 92vw" : "(min-width: 48em) 15rem, 45vw"}
        // Of the tile, which the photo fills.
        width={400}
        height={300}
        {...watched}
      />
    </button>
  );
}
