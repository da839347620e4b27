import type { RouterOutputs } from "#client/lib/trpc.ts";
import { Picture } from "#client/ui/media/picture.tsx";
import { usePhotoViewer } from "#client/ui/media/use-photo-viewer.tsx";
import classes from "./reports.module.css";

type Report = RouterOutputs["reports"]["list"]["items"][number];

/** A report's photos. */
export function ReportPhotos({ report: { number, photos } }: { report: Report; mayEdit: boolean }) {
  const { open, viewer } = usePhotoViewer(
    `Report ${number}`,
    photos.map((photo, place) => ({ ...photo, label: photo.altText || `Photo ${place + 1}` })),
  );
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={classes.photos}>
        {photos.map(({ photoKey, url, altText, width, height }, place) => (
          <li key={photoKey}>
            <button
              type="button"
              className={classes.photo}
              aria-label={`Open photo ${place + 1} of ${photos.length}`}
              onClick={({ currentTarget }) => open(place, currentTarget)}
            >
              <Picture src={url} alt={altText} sizes="(min-width: 48em) 12rem, 45vw" width={width} height={height} />
            </button>
          </li>
        ))}
      </ul>
      {viewer}
    </>
  );
}
