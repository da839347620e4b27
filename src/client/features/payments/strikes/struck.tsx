import classes from "#client/features/payments/review/payments.module.css";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";

/** Why a payment no longer counts, and the files by which owners decided on it. Nothing where there are none. */
export function StruckAndEvidence({ paymentId }: { paymentId: number }) {
  const { data } = trpc.payments.details.useQuery({ paymentId }, { staleTime: 0 });
  if (!data) return null;
  const { struck, evidence } = data;
  return (
    <>
      {struck && (
        <Notice
          tone="caution"
          title={`Struck on ${formatDate(struck.struckAt)}: ${formatNaira(struck.lostKobo)} is lost`}
        >
          <p>{ownStrikeTexts.reason(struck.reason)}</p>
        </Notice>
      )}
      {evidence.map(({ name, url }) => (
        <div key={url} className={classes.act}>
          <p>Evidence that owners decided by</p>
          <a href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        </div>
      ))}
    </>
  );
}
