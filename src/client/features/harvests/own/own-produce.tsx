import { Suspense } from "react";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { deadlineText, isToCollect, type OwnHarvest, type OwnPart } from "./own-harvest-words.ts";
import classes from "./own-produce.module.css";

const ProduceQr = lazyPart(() => import("./produce-qr.tsx"));

/** The reader's produce: the code and the place of collection, or what became of it. */
export function OwnProduce({ harvest, mine }: { harvest: OwnHarvest; mine: OwnPart }) {
  const { unit, collectsUntil, collectionPlace, now } = harvest;
  const { taken, code, collectedAt, uncollectedAt } = mine;
  if (code === null) return null;
  const quantity = formatQuantity(taken, unit);
  if (collectedAt) return <Notice tone="positive" title={`You collected ${quantity} on ${formatDate(collectedAt)}.`} />;
  if (uncollectedAt || !isToCollect(mine, collectsUntil, now)) {
    return (
      <Notice tone="neutral" title={`${quantity} ${taken === 1000n ? "was" : "were"} not collected in time.`}>
        <p>That is sold for you, and you get the money as for what you had sold.</p>
      </Notice>
    );
  }
  return (
    <section className={classes.produce} aria-label="Collect your produce">
      <div className={classes.codeWords}>
        <h4 className={classes.small}>Your code for {quantity}</h4>
        <p className={classes.code}>
          <span aria-hidden="true">
            {code.slice(0, 3)}
            <span className={classes.codeGap} />
            {code.slice(3)}
          </span>
          <span className="visually-hidden">{[...code].join(" ")}</span>
        </p>
        <p>Show it when you collect, and to nobody before: whoever has it can take your produce.</p>
        <dl className={classes.facts}>
          <div>
            <dt>Where</dt>
            <dd>{collectionPlace || "No place is named in the terms. Please ask us in the tab Messages."}</dd>
          </div>
          {collectsUntil && (
            <div>
              <dt>Until</dt>
              <dd>{deadlineText(collectsUntil, now)}</dd>
            </div>
          )}
        </dl>
        {collectsUntil && (
          <p className={classes.fine}>What isn't collected by {formatDateTime(collectsUntil)} is sold for you.</p>
        )}
      </div>
      <Suspense
        fallback={
          <Loading label="Loading the QR code">
            <Skeleton height="11rem" />
          </Loading>
        }
      >
        <ProduceQr code={code} />
      </Suspense>
    </section>
  );
}
