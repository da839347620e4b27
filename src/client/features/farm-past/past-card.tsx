import { Button } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { ListContent, type ListQuery } from "#client/ui/lists/list-page.tsx";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import classes from "./farm-past.module.css";
import type { EnterPast } from "./past-form.tsx";

const PastForm = lazyDialog(() => import("./past-form.tsx"));

type PastCardProps<Past> = {
  /** Names the farm where the page has several. */
  title: string;
  query: ListQuery & { data: Past[] | undefined };
  enter: EnterPast;
  children: (past: Past) => ReactNode;
};

/** A farm's years before this site, and the form that adds one. */
export function PastCard<Past>({ title, query, enter, children }: PastCardProps<Past>) {
  const [isWanted, setIsWanted] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    setIsWanted(true);
    setIsOpen(true);
  };
  return (
    <SectionCard
      title={title}
      text="Earlier harvests, with evidence. Backers read them apart from the record, once an owner who didn't enter them has confirmed them."
      aside={
        <Button variant="default" size="sm" onClick={open}>
          Tell of Earlier Years
        </Button>
      }
    >
      <ListContent
        query={query}
        rows={query.data}
        loading={
          <Loading label="Loading what the farm tells">
            <Skeleton height="6rem" />
          </Loading>
        }
        failure={texts.loadFailed}
        empty={<p className={classes.fine}>{texts.none}</p>}
      >
        {(rows) => <ul className={classes.list}>{rows.map(children)}</ul>}
      </ListContent>
      <Suspense>{isWanted && <PastForm enter={enter} isOpen={isOpen} onClose={() => setIsOpen(false)} />}</Suspense>
    </SectionCard>
  );
}
