import classes from "./gallery.module.css";
import { Gallery } from "./gallery.tsx";
import { Livestreams } from "./livestreams.tsx";

/** A farm's media for its backers: livestreams first, then the gallery. */
export function BackerMedia({ projectId }: { projectId: number }) {
  return (
    <div className={classes.sections}>
      <Livestreams projectId={projectId} />
      <section className={classes.backerSection} aria-labelledby="gallery-heading">
        <h2 id="gallery-heading" className={classes.backerHeading}>
          Photos and videos
        </h2>
        <Gallery projectId={projectId} />
      </section>
    </div>
  );
}
