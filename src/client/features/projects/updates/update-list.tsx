import { IconCircleCheck } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { EmptyState, ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { PhotoGrid } from "#client/ui/media/photo-grid.tsx";
import { formatDate } from "#shared/dates.ts";
import { projectLimits } from "#shared/projects/texts.ts";
import classes from "./updates.module.css";

type Update = RouterOutputs["updates"]["list"]["items"][number];

function UpdateArticle({ update }: { update: Update }) {
  const kind = update.report ? "report" : "update";
  return (
    <article className={classes.update}>
      <h3 className={classes.title}>{update.title}</h3>
      <time className={classes.date} dateTime={update.createdAt.toISOString()}>
        {formatDate(update.createdAt)}
      </time>
      <p className={classes.content}>{update.content}</p>
      {update.report?.farmNote && (
        <p className={classes.farmNote}>
          <strong>The farm's note:</strong> {update.report.farmNote}
        </p>
      )}
      {update.report?.isCodeSeen && (
        <p className={classes.code}>
          <IconCircleCheck size={18} stroke={2} aria-hidden="true" />
          This week's code seen
        </p>
      )}
      {update.photos.length > 0 && (
        <div className={classes.photos}>
          <PhotoGrid
            title={update.title}
            of={`the ${kind} of ${formatDate(update.createdAt)}`}
            photos={update.photos}
          />
        </div>
      )}
    </article>
  );
}

function UpdateListSkeleton() {
  return (
    <Loading label="Loading updates">
      <div className={classes.list}>
        {[1, 2, 3].map((key) => (
          <div key={key} className={classes.update}>
            <Skeleton width="50%" height="1.5rem" />
            <Skeleton width="6rem" height="1.25rem" />
            <SkeletonText lines={3} />
          </div>
        ))}
      </div>
    </Loading>
  );
}

/** A project's reports, newest first, five a page; its backers can search them. */
export function UpdateList({ projectId, isSearchable = false }: { projectId: number; isSearchable?: boolean }) {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const top = useRef<HTMLElement>(null);
  const query = trpc.updates.list.useQuery({ projectId, search, page }, { placeholderData: keepPreviousData });
  const showPage = (next: number) => {
    setPage(next);
    top.current?.scrollIntoView({ block: "start" });
  };
  return (
    <section ref={top} className={classes.section} aria-label="Updates">
      {isSearchable && (
        <SearchField
          label="Search updates"
          value={search}
          onChange={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
      )}
      {query.isPending ? (
        <UpdateListSkeleton />
      ) : !query.data ? (
        <ErrorState
          title="The updates could not be loaded."
          onRetry={() => void query.refetch()}
          isRetrying={query.isRefetching}
        />
      ) : query.data.total === 0 ? (
        <NoUpdates search={search} />
      ) : (
        <>
          <h2 className="visually-hidden">Updates</h2>
          <div className={classes.list} aria-busy={query.isPlaceholderData}>
            {query.data.items.map((update) => (
              <UpdateArticle key={update.id} update={update} />
            ))}
          </div>
          <Pagination
            label="Updates"
            page={page}
            pageCount={Math.ceil(query.data.total / projectLimits.contentPageSize)}
            onChange={showPage}
          />
        </>
      )}
    </section>
  );
}

function NoUpdates({ search }: { search: string }) {
  if (search) return <EmptyState title="No updates found" text={`No update has “${search}” in its title or text.`} />;
  return (
    <EmptyState
      picture="/art/empty-updates.svg"
      title="No updates yet"
      text="The farm's weekly reports will appear here."
    />
  );
}
