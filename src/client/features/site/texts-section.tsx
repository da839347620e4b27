import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { formatDate } from "#shared/dates.ts";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";
import { type OwnPage, pageTitles } from "#shared/site/pages.ts";
import { SectionSkeleton } from "./section-skeleton.tsx";
import classes from "./texts.module.css";

const PageEditor = lazyPart(() => import("./page-editor.tsx"));

type Listed = RouterOutputs["site"]["pages"][number];

/** The five texts that the operator answers for: which version of each is in force, and writing another. */
export default function TextsSection() {
  const query = trpc.site.pages.useQuery(undefined, { staleTime: 0 });
  const viewer = useViewer();
  const [edited, setEdited] = useState<OwnPage | null>(null);
  if (edited !== null && viewer) {
    return (
      <Suspense fallback={<SectionSkeleton />}>
        <PageEditor page={edited} userId={viewer.id} onClose={() => setEdited(null)} />
      </Suspense>
    );
  }
  if (query.data) {
    const hasDrafts = query.data.some(({ versions }) => versions.length === 0);
    return (
      <Card
        title="Texts"
        text="What visitors read about you, and what they agree to. Every version stays, so that you can show what somebody agreed to."
      >
        {hasDrafts && <Notice tone="caution" title={texts.drafts} />}
        <ul className={classes.list}>
          {query.data.map((listed) => (
            <TextRow key={listed.page} {...listed} onWrite={() => setEdited(listed.page)} />
          ))}
        </ul>
      </Card>
    );
  }
  if (!query.isError) return <SectionSkeleton />;
  return <LoadFailed query={query} title="The texts could not be loaded" />;
}

function TextRow({ page, versions, onWrite }: Listed & { onWrite: () => void }) {
  const utils = trpc.useUtils();
  const adopt = trpc.site.adoptPage.useMutation({
    onSuccess: () => toast.success(texts.adopted),
    onError: (error) => toast.error(texts.saveFailed, errorText(error)),
    onSettled: () => utils.site.invalidate(),
  });
  const inForce = versions.find(({ state }) => state === "in_force");
  const coming = versions.find(({ state }) => state === "coming");
  return (
    <li className={classes.row} aria-label={pageTitles[page]}>
      <div>
        <h3 className={classes.name}>
          {pageTitles[page]}{" "}
          {inForce ? (
            <StatusBadge tone="positive">In force</StatusBadge>
          ) : (
            <StatusBadge tone="waiting">Draft</StatusBadge>
          )}
        </h3>
        <p className={classes.fine}>
          {inForce
            ? `Version ${inForce.version} by ${inForce.writtenBy}, in force since ${formatDate(inForce.inForceFrom)}.`
            : "Visitors read the text of the software's makers."}
          {coming && ` Version ${coming.version} is in force from ${formatDate(coming.inForceFrom)} on.`}
        </p>
        <p className={classes.links}>
          <a href={`/${page}`}>Read</a>
          {coming && <a href={`/${page}?version=${coming.version}`}>Read version {coming.version}</a>}
        </p>
      </div>
      <div className={classes.actions}>
        {versions.length === 0 && (
          <Button variant="default" loading={adopt.isPending} onClick={() => adopt.mutate({ page, seenVersion: 0 })}>
            Adopt
          </Button>
        )}
        <Button variant="default" disabled={adopt.isPending} onClick={onWrite}>
          Write
        </Button>
      </div>
    </li>
  );
}
