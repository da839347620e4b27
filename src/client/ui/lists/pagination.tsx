import { Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import classes from "./pagination.module.css";

type PaginationProps = {
  /** Counted from 1. */
  page: number;
  pageCount: number;
  onChange: (page: number) => void;
  /** A name for the pages: "Updates". */
  label: string;
};

/** The links shown: first, last, and the ones around the current page; null stands for an ellipsis. At most five. */
export function pageLinks(page: number, pageCount: number): (number | null)[] {
  if (pageCount <= 5) return Array.from({ length: pageCount }, (_, index) => index + 1);
  if (page <= 3) return [1, 2, 3, 4, null, pageCount];
  if (page >= pageCount - 2) return [1, null, pageCount - 3, pageCount - 2, pageCount - 1, pageCount];
  return [1, null, page - 1, page, page + 1, null, pageCount];
}

/** Nothing is shown for a single page. */
export function Pagination({ page, pageCount, onChange, label }: PaginationProps) {
  if (pageCount <= 1) return null;
  return (
    <nav className={classes.pages} aria-label={`${label}: pages`}>
      <Button
        variant="default"
        size="sm"
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
        aria-label="Previous page"
      >
        <IconChevronLeft size={18} />
      </Button>
      <ol className={classes.list}>
        {pageLinks(page, pageCount).map((link, index) => (
          <li key={link ?? `gap-${index < 3 ? "before" : "after"}`}>
            {link === null ? (
              <span className={classes.gap}>…</span>
            ) : (
              <Button
                variant={link === page ? "filled" : "default"}
                size="sm"
                px="sm"
                onClick={() => onChange(link)}
                aria-label={`Page ${link}`}
                aria-current={link === page ? "page" : undefined}
              >
                {link}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <span className={classes.short}>
        Page {page} of {pageCount}
      </span>
      <Button
        variant="default"
        size="sm"
        disabled={page >= pageCount}
        onClick={() => onChange(page + 1)}
        aria-label="Next page"
      >
        <IconChevronRight size={18} />
      </Button>
    </nav>
  );
}
