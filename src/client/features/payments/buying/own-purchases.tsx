import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { AgreedText } from "#client/shared-parts/agreed-text.tsx";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { Clauses } from "#client/ui/layout/clauses.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { paymentStatusLabels } from "#shared/payments/statuses.ts";
import { countLots } from "#shared/projects/texts.ts";
import { Arrival } from "./arrival.tsx";
import classes from "./own-purchases.module.css";

type Purchase = RouterOutputs["payments"]["listMyPurchases"][number];

/** The reader's purchases of a farm, and the terms they agreed to. Nothing if there are none, or while it loads. */
export function OwnPurchases({ projectId }: { projectId: number }) {
  const { data } = trpc.payments.listMyPurchases.useQuery({ projectId }, { staleTime: 0 });
  if (!data || data.length === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="own-purchases">
      <h2 id="own-purchases" className={classes.title}>
        Your lots
      </h2>
      {data.map((purchase) => (
        <OwnPurchase key={purchase.id} purchase={purchase} projectId={projectId} />
      ))}
    </section>
  );
}

function OwnPurchase({ purchase, projectId }: { purchase: Purchase; projectId: number }) {
  const utils = trpc.useUtils();
  const { id, status, lots, amountKobo, reference, submittedAt, agreedAt, struckReason, terms, siteTerms, lateText } =
    purchase;
  return (
    <div className={classes.purchase}>
      <p className={classes.what}>
        <strong>{countLots(lots)}</strong>
        <span className="money">{formatNaira(amountKobo)}</span>
        {struckReason !== null && <StatusBadge tone="negative">{ownStrikeTexts.label}</StatusBadge>}
        {status !== "approved" && <StatusBadge tone="waiting">{paymentStatusLabels[status]}</StatusBadge>}
      </p>
      <p className={classes.fine}>
        {reference}, sent {formatDate(submittedAt)}
      </p>
      {lateText !== null && <p>{lateText}</p>}
      {status === "pending" && <Arrival payment={purchase} projectId={projectId} />}
      {struckReason !== null && (
        <p>
          {ownStrikeTexts.counts} {ownStrikeTexts.reason(struckReason)}
        </p>
      )}
      {status === "approved" && struckReason === null && (
        <p>
          <PaperButton
            label="Payment receipt"
            name={`of ${reference}`}
            find={() => utils.papers.find.fetch({ kind: "receipt", id })}
          />
        </p>
      )}
      <details>
        <summary>The terms you agreed to</summary>
        <p className={classes.fine}>Agreed on {formatDate(agreedAt)}</p>
        <Clauses clauses={terms.clauses} />
        {siteTerms && (
          <p>
            And the site's: <AgreedText {...siteTerms} of={reference} />
          </p>
        )}
      </details>
    </div>
  );
}
