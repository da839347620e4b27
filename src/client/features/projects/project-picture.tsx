import { MissingPicture, useMissing } from "#client/ui/media/missing-picture.tsx";
import { Picture, type PictureProps } from "#client/ui/media/picture.tsx";
import classes from "./project-picture.module.css";

type ProjectPictureProps = {
  project: { imageUrl: string; imageAlt: string; title: string };
  urgency?: PictureProps["urgency"];
  /** How wide it is shown, where that isn't on a card. */
  sizes?: string;
  /** On the project's own page a video can be played. */
  hasControls?: boolean;
};

/** In the three, two or one columns of project-grid.module.css. */
const cardSizes =
  "(min-width: 74em) 22.75rem, (min-width: 62em) calc(33vw - 1.5rem), (min-width: 38em) calc(50vw - 1.75rem), calc(100vw - 2rem)";

/** A project's main picture, 16:10, so that nothing moves when it comes. An address ending in .mp4 is a video. */
export function ProjectPicture({ project, urgency, sizes = cardSizes, hasControls = false }: ProjectPictureProps) {
  const { imageUrl, imageAlt, title } = project;
  const { isMissing, onError, ref } = useMissing(imageUrl);
  if (isMissing) return <MissingPicture className={classes.picture} label={imageAlt} />;
  if (/\.mp4$/i.test(imageUrl)) {
    return (
      <video
        className={classes.picture}
        // The fragment makes browsers show a frame instead of black before it is played.
        src={`${imageUrl}#t=0.1`}
        controls={hasControls}
        muted={!hasControls}
        playsInline
        preload="metadata"
        aria-label={imageAlt || `Video of ${title}`}
        onError={onError}
      />
    );
  }
  return (
    <Picture
      ref={ref}
      className={classes.picture}
      src={imageUrl}
      sizes={sizes}
      urgency={urgency}
      alt={imageAlt}
      width={1200}
      height={750}
      onError={onError}
    />
  );
}
