import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { BankDetails } from "#shared/settings.ts";
import classes from "./transfer-details.module.css";

type TransferDetailsProps = { bankDetails: BankDetails; amountKobo: Kobo; reference: string };

/** Where the money goes: what is typed into a bank's app is large and has a button to copy it. */
export function TransferDetails({ bankDetails, amountKobo, reference }: TransferDetailsProps) {
  return (
    <dl className={classes.details}>
      <Detail label="Account number" value={bankDetails.accountNumber} copyText={bankDetails.accountNumber} />
      <Detail label="Bank" value={bankDetails.bankName} isHalf />
      <Detail label="Account name" value={bankDetails.accountName} isHalf />
      <Detail label="Amount" value={formatNaira(amountKobo)} copyText={plainNaira(amountKobo)} isMoney />
      <Detail
        label="Reference"
        value={reference}
        copyText={reference}
        hint="Write it in the description (narration) of your transfer: by it we know that the money is yours."
      />
    </dl>
  );
}

type DetailProps = {
  label: string;
  value: string;
  copyText?: string;
  hint?: string;
  isHalf?: boolean;
  isMoney?: boolean;
};

function Detail({ label, value, copyText, hint, isHalf, isMoney }: DetailProps) {
  return (
    <div className={classes.detail} data-half={isHalf}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-large={copyText ? true : undefined}>
        {/* Figures of one width bring hyphens as wide: not for the reference. */}
        <span className={isMoney ? "money" : undefined}>{value}</span>
        {copyText && <CopyButton text={copyText} what={label.toLowerCase()} />}
      </dd>
      {hint && <dd className={classes.hint}>{hint}</dd>}
    </div>
  );
}

/** "1250000" or "1250000.50", as banks take it: formatted for reading it would be refused. */
function plainNaira(kobo: Kobo): string {
  return formatNaira(kobo).replace(/[₦,]/g, "");
}
