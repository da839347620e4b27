import classes from "#client/features/bank/bank.module.css";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { voidTexts } from "#shared/bank/void-texts.ts";
import { formatDateTime, formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";

type Voided = RouterOutputs["bank"]["voids"][number];

/** Lists an account's bank data that two owners voided; nothing if there is none. */
export function VoidedData({ accountId }: { accountId: number }) {
  const query = trpc.bank.voids.useQuery({ accountId }, { staleTime: 0 });
  if (query.isError) return <Notice tone="negative" title={`${voidTexts.failed}. ${errorText(query.error)}`} />;
  if (!query.data || query.data.length === 0) return null;
  return (
    <section aria-label="Void">
      <h2 className={classes.voidedHeading}>Void</h2>
      <ul className={classes.voided}>
        {query.data.map((one) => (
          <li key={one.id}>
            <p className={classes.fileName}>{one.fileUrl ? <a href={one.fileUrl}>{nameOf(one)}</a> : nameOf(one)}</p>
            <p className={classes.dimmed}>
              Confirmed by {one.madeByName} on {formatDateTime(one.createdAt)}: {one.reason}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf({ what, fileName, firstDay, lastDay, lines, line }: Voided): string {
  if (what === "opening") return "The balance before the first line";
  if (what === "line" && line?.date && line.amountKobo !== null) {
    return `The line of ${formatNairaExact(line.amountKobo)} of ${formatDay(line.date)}: ${line.narration || "no narration"}`;
  }
  const days = firstDay && lastDay ? `${formatDay(firstDay)} to ${formatDay(lastDay)}` : "";
  return `${fileName}, ${days}, ${lines === 1 ? "1 line" : `${lines} lines`}`;
}
