import { MissingPicture, useMissing } from "#client/ui/missing-picture.tsx";
import { photoSrcSet } from "#shared/photos.ts";
import classes from "./project-picture.module.css";

type ProjectPictureProps = {
  project: { imageUrl: string; imageAlt: string; title: string };
  /** Above the fold: fetched at once. */
  isEager?: boolean;
  /** On the project's own page a video can be played. */
  hasControls?: boolean;
};

/** A project's main picture, 16:10, so that nothing moves when it comes. An address ending in .mp4 is a video. */
export function ProjectPicture({ project, isEager = false, hasControls = false }: ProjectPictureProps) {
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
    <img
      ref={ref}
      className={classes.picture}
      src={imageUrl}
      srcSet={photoSrcSet(imageUrl)}
      sizes={hasControls ? "(min-width: 62em) 46rem, 100vw" : "(min-width: 48em) 23rem, 100vw"}
      alt={imageAlt}
      width={1200}
      height={750}
      loading={isEager ? "eager" : "lazy"}
      fetchPriority={isEager && hasControls ? "high" : "auto"}
      decoding="async"
      onError={onError}
    />
  );
}
