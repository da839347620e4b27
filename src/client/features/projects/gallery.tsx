import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { ErrorState } from "#client/ui/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/skeleton.tsx";
import { formatDate } from "#shared/dates.ts";
import classes from "./media.module.css";
import { VideoPlayer } from "./video-player.tsx";

type Media = RouterOutputs["media"]["gallery"][number];

function MediaItem({ media }: { media: Media }) {
  const date = formatDate(media.createdAt);
  if (media.type !== "photo") return <VideoPlayer url={media.url} label={media.altText || `Video of ${date}`} />;
  return (
    <a href={media.url} target="_blank" rel="noopener noreferrer">
      <img
        className={classes.photo}
        src={media.url}
        alt={media.altText || `Photo of ${date}`}
        width={800}
        height={600}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}

/** A project's photos and videos, newest first. */
export function Gallery({ projectId }: { projectId: number }) {
  const query = trpc.media.gallery.useQuery({ projectId });
  if (query.isPending) {
    return (
      <Loading label="Loading gallery">
        <div className={classes.grid}>
          <Skeleton ratio="4 / 3" />
          <Skeleton ratio="4 / 3" />
        </div>
      </Loading>
    );
  }
  if (query.isError) {
    return (
      <ErrorState
        title="The gallery could not be loaded."
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        picture="/art/empty-gallery.svg"
        title="Gallery coming soon"
        text="Photos and videos from the farm will stand here."
      />
    );
  }
  return (
    <ul className={classes.grid}>
      {query.data.map((media) => (
        <li key={media.id}>
          <figure className={classes.item}>
            <MediaItem media={media} />
            <figcaption>
              {media.altText && `${media.altText}, `}
              <time dateTime={media.createdAt.toISOString()}>{formatDate(media.createdAt)}</time>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
