import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { releasePartStateLabels, releasePartTexts as texts } from "#shared/payouts/release-parts-texts.ts";
import { formatRate } from "#shared/projects/terms-texts.ts";
import { MoneyPlacesBar } from "./money-places.tsx";
import { releasePartTones } from "./release-part-tones.ts";
import classes from "./release-parts.module.css";
import { ProofFiles } from "./release-proofs.tsx";
import { WhereMoneySkeleton } from "./where-money-skeleton.tsx";

type Part = NonNullable<RouterOutputs["releaseParts"]["whereMoneyIs"]>["parts"][number];
/** Where the money of a project's last funded round is: three sums, and each part with its day and proof. */
export default function WhereMoneyIs({ projectId }: { projectId: number }) {
  const query = trpc.releaseParts.whereMoneyIs.useQuery({ projectId });
  if (query.isPending) return <WhereMoneySkeleton />;
  if (query.isError) {
    return <LoadFailed query={query} title={texts.loadFailed} />;
  }
  if (query.data === null) return null;
  const { raisedKobo, places, parts, isStopped, mayOpenPapers } = query.data;
  return (
    <section className={`${classes.money} ${classes.onPage}`} aria-labelledby="where-money-is">
      <h2 className={classes.title} id="where-money-is">
        Where the money is
      </h2>
      <MoneyPlacesBar raisedKobo={raisedKobo} places={places} />
      {isStopped && <Notice tone="caution" title={texts.isStoppedPublic} />}
      <ol className={classes.parts}>
        {parts.map((part) => (
          <PartLine key={part.part} part={part} parts={parts.length} mayOpenPapers={mayOpenPapers} />
        ))}
      </ol>
    </section>
  );
}

type PartLineProps = { part: Part; parts: number; mayOpenPapers: boolean };

function PartLine({ part, parts, mayOpenPapers }: PartLineProps) {
  const { part: number, label, rate, amountKobo, state, proof, proofs, publicReason, skippedReason } = part;
  return (
    <li className={classes.part}>
      <div className={classes.head}>
        <span className={classes.label}>{parts === 1 ? label : `${number}. ${label}`}</span>
        <span className="money">{formatNaira(amountKobo)}</span>
      </div>
      <div className={classes.facts}>
        <StatusBadge tone={releasePartTones[state]}>{releasePartStateLabels[state]}</StatusBadge>
        <span className={classes.fine}>{dayOf(part)}</span>
        {parts > 1 && <span className={classes.fine}>{formatRate(rate)} of what was raised</span>}
      </div>
      {proof !== "" && <p className={classes.fine}>Proof: {proof}</p>}
      {skippedReason && <p>Left out: {skippedReason}</p>}
      {publicReason && <p>{texts.releasedDespite(publicReason)}</p>}
      <ProofFiles
        proofs={proofs}
        of={`the proof of part ${number}`}
        {...(!mayOpenPapers && { documentsFor: texts.documentsForBackers })}
      />
    </li>
  );
}

/** "Paid on 3 Dec 2026": the last step of a part, and its day. */
function dayOf({ state, paidAt, releasedAt, checkedAt, askedAt, askableFrom }: Part): string {
  if (paidAt) return `Paid on ${formatDate(paidAt)}`;
  if (state === "released" && releasedAt) return `Released on ${formatDate(releasedAt)}`;
  if (state === "checked" && checkedAt) return `Checked on ${formatDate(checkedAt)}`;
  if (state === "asked" && askedAt) return `Asked for on ${formatDate(askedAt)}`;
  if (state === "planned" && askableFrom) return `From ${formatDate(askableFrom)} on`;
  return "";
}
