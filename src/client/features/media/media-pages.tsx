import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Pagination } from "#client/ui/lists/pagination.tsx";
import { projectLimits } from "#shared/project-texts.ts";
import classes from "./gallery.module.css";
import type { MediaItem } from "./media-item.ts";
import { MediaTile } from "./media-tile.tsx";

const MediaViewer = lazy(() => import("./media-viewer.tsx"));
const pageSize = projectLimits.contentPageSize;

type MediaPagesProps = {
  /** What is paged: "Photos". */
  label: string;
  page: number;
  onPage: (page: number) => void;
  /** Of the page; of the one before while it is on its way. */
  items: MediaItem[];
  isStale: boolean;
  total: number;
  /** The viewer comes near the end of a page. */
  onNear: (page: number) => void;
  entryClass?: string | undefined;
  /** What stands under an entry's picture. */
  below?: (item: MediaItem) => ReactNode;
};

/** A page of media. Each opens in the viewer, whose code is fetched when it first does, and which goes on over the pages. */
export function MediaPages(props: MediaPagesProps) {
  const { label, page, onPage, items, isStale, total, onNear, entryClass, below } = props;
  const [opened, setOpened] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const pageCount = Math.ceil(total / pageSize);
  // What was removed may have been the last of the last page.
  const isBeyond = !isStale && page > Math.max(pageCount, 1);
  useEffect(() => {
    if (isBeyond) onPage(Math.max(pageCount, 1));
  }, [isBeyond, pageCount, onPage]);
  const first = (page - 1) * pageSize;
  return (
    <>
      <div ref={top} className={classes.top} tabIndex={-1} aria-busy={isStale}>
        <ul className={classes.grid}>
          {items.map((item, index) => (
            <li key={item.id} className={entryClass}>
              <MediaTile
                item={item}
                onOpen={(tile) => {
                  opener.current = tile;
                  setOpened(first + index);
                  setWasOpened(true);
                }}
              />
              {below?.(item)}
            </li>
          ))}
        </ul>
      </div>
      <Pagination
        label={label}
        page={page}
        pageCount={pageCount}
        onChange={(next) => {
          onPage(next);
          top.current?.scrollIntoView({ block: "start" });
        }}
      />
      {wasOpened && (
        <Suspense>
          <MediaViewer
            items={isStale ? [] : items}
            first={first}
            total={total}
            opened={opened}
            onNear={(index) => onNear(Math.floor(index / pageSize) + 1)}
            onBeyond={(index) => onPage(Math.floor(index / pageSize) + 1)}
            onClose={() => setOpened(null)}
            // The entry that was opened may stand on another page than the one the viewer went to.
            onClosed={() => (opener.current?.isConnected ? opener.current : top.current)?.focus()}
          />
        </Suspense>
      )}
    </>
  );
}
