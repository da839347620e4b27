import { IconExternalLink } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { EmbedPlayer, PlayTile } from "#client/ui/media/video-player.tsx";
import { formatDate } from "#shared/dates.ts";
import { projectLimits } from "#shared/projects/texts.ts";
import classes from "./gallery.module.css";

type LivestreamEntry = RouterOutputs["media"]["livestreams"]["items"][number];

/** A project's livestreams, for its backers. Nothing is fetched of one before somebody wants to watch it. */
export function Livestreams({ projectId }: { projectId: number }) {
  const [page, setPage] = useState(1);
  const query = trpc.media.livestreams.useQuery({ projectId, page }, { placeholderData: keepPreviousData });
  return (
    <section className={classes.section} aria-labelledby="livestreams-heading">
      <h2 id="livestreams-heading" className={classes.heading}>
        Livestreams
      </h2>
      {query.isPending ? (
        <Loading label="Loading livestreams">
          <div className={classes.list}>
            <Skeleton ratio="16 / 9" radius="var(--mantine-radius-md)" />
          </div>
        </Loading>
      ) : !query.data ? (
        <ErrorState
          title="The livestreams could not be loaded."
          onRetry={() => void query.refetch()}
          isRetrying={query.isRefetching}
        />
      ) : query.data.total === 0 ? (
        <p className={classes.none}>There is no livestream of this farm yet.</p>
      ) : (
        <>
          <ul className={classes.list} aria-busy={query.isPlaceholderData}>
            {query.data.items.map((entry) => (
              <li key={entry.id}>
                <LivestreamFigure entry={entry} />
              </li>
            ))}
          </ul>
          <Pagination
            label="Livestreams"
            page={page}
            pageCount={Math.ceil(query.data.total / projectLimits.contentPageSize)}
            onChange={setPage}
          />
        </>
      )}
    </section>
  );
}

function LivestreamFigure({ entry }: { entry: LivestreamEntry }) {
  const label = entry.altText || "Livestream";
  return (
    <figure className={classes.streamItem}>
      <LivestreamPlayer entry={entry} label={label} />
      <figcaption>
        {entry.altText && <span className={classes.streamCaption}>{entry.altText}</span>}
        <span>
          Added <time dateTime={entry.createdAt.toISOString()}>{formatDate(entry.createdAt)}</time>
        </span>
      </figcaption>
    </figure>
  );
}

type LivestreamPlayerProps = { entry: Pick<LivestreamEntry, "id" | "stream">; label: string };

export function LivestreamPlayer({ entry: { id, stream }, label }: LivestreamPlayerProps) {
  if (stream.kind === "hls") return <OwnPlayer mediaId={id} label={label} />;
  if (stream.kind !== "link") return <EmbedPlayer embed={stream} label={label} />;
  return (
    <a className={classes.link} href={stream.href} target="_blank" rel="noopener noreferrer">
      <IconExternalLink size={20} stroke={1.75} aria-hidden="true" />
      <span>
        Watch on {new URL(stream.href).hostname}
        <span className="visually-hidden"> (opens in a new tab)</span>
      </span>
    </a>
  );
}

/** The stream plays in a page of its own, which alone may fetch from its host. */
function OwnPlayer({ mediaId, label }: { mediaId: number; label: string }) {
  const [isPlaying, setIsPlaying] = useState(false);
  if (!isPlaying) {
    return <PlayTile label={label} note="Live video uses a lot of data." onPlay={() => setIsPlaying(true)} />;
  }
  return (
    <iframe
      // The focus was on the tile that it replaces.
      ref={(frame) => frame?.focus({ preventScroll: true })}
      className={classes.frame}
      src={`/livestream/${mediaId}`}
      title={label}
      allow="autoplay; fullscreen; picture-in-picture"
    />
  );
}
