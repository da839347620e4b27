import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import type { BankDetails } from "#shared/settings/texts.ts";
import classes from "./back-project-page.module.css";

type TransferDetailsProps = { bankDetails: BankDetails; amountKobo: Kobo; reference: string };

/** The account, amount and reference of a transfer: what is typed into a bank's app is large and has a button to copy it. */
export function TransferDetails({ bankDetails, amountKobo, reference }: TransferDetailsProps) {
  return (
    <dl className={classes.details}>
      <Detail label="Account number" value={bankDetails.accountNumber} copyText={bankDetails.accountNumber} isLargest />
      <Detail label="Bank" value={bankDetails.bankName} isHalf />
      <Detail label="Account name" value={bankDetails.accountName} isHalf />
      <Detail
        label="Amount"
        value={formatNaira(amountKobo)}
        copyText={plainNaira(amountKobo)}
        hints={[paymentTexts.addsUp]}
        isMoney
      />
      <Detail
        label="Reference"
        value={reference}
        copyText={reference}
        hints={[paymentTexts.narration, paymentTexts.noNarration]}
      />
    </dl>
  );
}

type DetailProps = {
  label: string;
  value: string;
  copyText?: string;
  hints?: readonly string[];
  isHalf?: boolean;
  isMoney?: boolean;
  isLargest?: boolean;
};

function Detail({ label, value, copyText, hints, isHalf, isMoney, isLargest }: DetailProps) {
  return (
    <div className={classes.detail} data-half={isHalf}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-large={copyText ? true : undefined} data-largest={isLargest}>
        {/* Figures of one width bring hyphens as wide: not for the reference. */}
        <span className={isMoney ? "money" : undefined}>{value}</span>
        {copyText && <CopyButton text={copyText} what={label.toLowerCase()} />}
      </dd>
      {hints?.map((hint) => (
        <dd key={hint} className={classes.hint}>
          {hint}
        </dd>
      ))}
    </div>
  );
}

/** "1250000" or "1250000.50": banks refuse an amount that is formatted for reading. */
function plainNaira(kobo: Kobo): string {
  return formatNaira(kobo).replace(/[₦,]/g, "");
}
