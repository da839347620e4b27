import classes from "#client/features/payments/review/payments.module.css";
import { trpc } from "#client/lib/trpc.ts";
import { AgreedText } from "#client/shared-parts/agreed-text.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { strikeTexts } from "#shared/payments/strikes-texts.ts";

/** Shows the reason why a payment no longer counts; nothing for others. */
export function Struck({ paymentId }: { paymentId: number }) {
  const { data } = trpc.payments.details.useQuery({ paymentId }, { staleTime: 0 });
  if (!data?.struck) return null;
  const { struckAt, lostKobo, reason } = data.struck;
  return (
    <Notice tone="caution" title={`Struck on ${formatDate(struckAt)}: ${formatNaira(lostKobo)} is lost`}>
      <p>{ownStrikeTexts.reason(reason)}</p>
      <p>{strikeTexts.over}</p>
    </Notice>
  );
}

/** The site's terms that a payment was made under, word for word; nothing for one that was made without them. */
export function PaidUnder({ paymentId }: { paymentId: number }) {
  const { data } = trpc.payments.details.useQuery({ paymentId }, { staleTime: 0 });
  if (!data?.siteTerms) return null;
  const { sha256, version } = data.siteTerms;
  return (
    <p>
      Paid under <AgreedText sha256={sha256} version={version} />
    </p>
  );
}

/** The files by which owners decided on a payment; nothing where there are none. */
export function Evidence({ paymentId }: { paymentId: number }) {
  const { data } = trpc.payments.details.useQuery({ paymentId }, { staleTime: 0 });
  return data?.evidence.map(({ name, url }) => (
    <div key={url} className={classes.act}>
      <p>Evidence that owners decided by</p>
      <a className={classes.evidence} href={url} target="_blank" rel="noreferrer">
        {name}
      </a>
    </div>
  ));
}
