import { IconX } from "@tabler/icons-react";
import { createLink, type LinkComponent } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from "react";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { formatDate } from "#shared/dates.ts";
import classes from "./inbox.module.css";

type InboxProps = {
  list: ReactNode;
  /** A name for the right side: "Applicant". */
  detailLabel: string;
  detail: ReactNode;
  openId: number | undefined;
};

/** A list with what is chosen from it beside it; on phones below it. The keyboard follows what is opened and closed. */
export function Inbox({ list, detailLabel, detail, openId }: InboxProps) {
  const listPart = useRef<HTMLDivElement>(null);
  const detailPart = useRef<HTMLElement>(null);
  const shown = useRef(openId);
  useEffect(() => {
    const before = shown.current;
    shown.current = openId;
    if (before === openId) return;
    const entry = listPart.current?.querySelector<HTMLElement>(`[data-entry="${openId ?? before}"]`);
    // A closed one may have left the list meanwhile.
    if (openId === undefined) return (entry ?? listPart.current)?.focus();
    entry?.scrollIntoView({ block: "nearest" });
    detailPart.current?.focus();
  }, [openId]);
  return (
    <div className={classes.inbox} data-open={openId !== undefined || undefined}>
      <div ref={listPart} className={classes.listPart} tabIndex={-1}>
        {list}
      </div>
      <section ref={detailPart} className={classes.detailPart} aria-label={detailLabel} tabIndex={-1}>
        {detail}
      </section>
    </div>
  );
}

type InboxListProps = {
  label: string;
  isStale: boolean;
  children: ReactNode;
};

/** The entries, {@link InboxEntry}s in `li`s. */
export function InboxList({ label, isStale, children }: InboxListProps) {
  return (
    <ul className={classes.entries} aria-label={label} aria-busy={isStale || undefined}>
      {children}
    </ul>
  );
}

type EntryAnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  entryId: number;
  heading: string;
  note: string;
  date: Date;
  mark?: ReactNode;
  isUnread?: boolean;
  isCurrent: boolean;
  ref?: Ref<HTMLAnchorElement>;
};

function EntryAnchor(props: EntryAnchorProps) {
  const { entryId, heading, note, date, mark, isUnread = false, isCurrent, children: _children, ...rest } = props;
  return (
    <a
      {...rest}
      className={classes.entry}
      data-entry={entryId}
      data-unread={isUnread || undefined}
      aria-current={isCurrent ? "true" : undefined}
    >
      <span className={classes.heading} dir="auto">
        {isUnread && <span className="visually-hidden">Unread: </span>}
        {heading}
      </span>
      <time className={classes.date} dateTime={date.toISOString()}>
        {formatDate(date)}
      </time>
      <span className={classes.note} dir="auto">
        {note}
      </span>
      {mark && <span className={classes.mark}>{mark}</span>}
    </a>
  );
}

const CreatedEntry = createLink(EntryAnchor);

/** One entry of the list: a link to the same page with it opened. */
export const InboxEntry: LinkComponent<typeof EntryAnchor> = (props) => <CreatedEntry {...props} />;

/** The top of what is opened: its name, a line under it, and the way back to the list. */
export function DetailHead({ title, text, closeLabel }: { title: string; text: ReactNode; closeLabel: string }) {
  return (
    <header className={classes.head}>
      <div className={classes.headWords}>
        <h2 className={classes.title} dir="auto">
          {title}
        </h2>
        <p className={classes.text}>{text}</p>
      </div>
      <LinkButton
        to="."
        search={({ open: _open, ...rest }: Record<string, unknown>) => rest}
        resetScroll={false}
        variant="subtle"
        color="gray"
        px="xs"
        aria-label={closeLabel}
      >
        <IconX size={20} aria-hidden="true" />
      </LinkButton>
    </header>
  );
}

/** A person's own text: its lines, in its direction. */
export function WrittenText({ children }: { children: string }) {
  return (
    <p className={classes.written} dir="auto">
      {children}
    </p>
  );
}

/** Facts about who wrote, a name and a value each. */
export function DetailFacts({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Nothing is opened yet. Not shown on phones, where it would stand below the list. */
export function NothingOpen({ children }: { children: string }) {
  return <p className={classes.nothing}>{children}</p>;
}

export function InboxListSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <div className={classes.entries}>
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <div key={row} className={classes.entry}>
            <Skeleton width="9rem" />
            <Skeleton width="4.5rem" />
            <Skeleton width="100%" />
          </div>
        ))}
      </div>
    </Loading>
  );
}

export function DetailSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <div className={classes.waiting}>
        <Skeleton width="14rem" height="1.75rem" />
        <Skeleton width="18rem" />
        <Skeleton height="6rem" />
        <SkeletonText lines={5} />
      </div>
    </Loading>
  );
}
