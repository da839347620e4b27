import { Button } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import lineClasses from "#client/features/bank/line.module.css";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type ImportAnswer, matchedLinesText, otherRowsText } from "#shared/bank/statement-import-texts.ts";
import { formatDay } from "#shared/dates.ts";
import classes from "./import.module.css";

type Asked = Extract<ImportAnswer, { kind: "asks" }>;
type Imported = Extract<ImportAnswer, { kind: "imported" }>;
type Refused = Extract<ImportAnswer, { kind: "refused" }>;

export function ImportRefusal({
  answer: { faults, moreFaults, table },
  onMap,
}: {
  answer: Refused;
  onMap: () => void;
}) {
  const count = faults.length + moreFaults;
  return (
    <>
      <Notice tone="negative" title="Nothing was imported" isAlert>
        <p>{count === 1 ? faults[0]?.text : `${formatNumber(count)} things are wrong with this file.`}</p>
        <p>
          {table
            ? "Say which column is which, or choose another file of your bank."
            : "Ask your bank for a new file, or choose another file."}
        </p>
      </Notice>
      {count > 1 && (
        <ul className={classes.faults} aria-label="What is wrong with the file">
          {faults.map(({ row, text }) => (
            <li key={`${row} ${text}`}>{text}</li>
          ))}
          {moreFaults > 0 && <li>and {formatNumber(moreFaults)} more</li>}
        </ul>
      )}
      {table && (
        <Button className={lineClasses.act} variant="default" onClick={onMap}>
          Say which column is which
        </Button>
      )}
    </>
  );
}

/** "312 lines: 287 new, 25 known." */
export const countedLines = ({ lines, newLines, knownLines }: Asked | Imported): string =>
  `${formatCount(lines, "line")}: ${formatNumber(newLines)} new, ${formatNumber(knownLines)} known.`;

export function ImportNotes({ answer: { firstDay, lastDay, notes, leftOut } }: { answer: Asked | Imported }) {
  return (
    <>
      <p>{firstDay === lastDay ? formatDay(firstDay) : `${formatDay(firstDay)} to ${formatDay(lastDay)}`}</p>
      {leftOut.other > 0 && <p>{otherRowsText(leftOut.other)}</p>}
      {notes.length > 0 && (
        <Notice tone="neutral" title="Good to know">
          <ul className={classes.notes}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

const askEveryMs = 1000;

/** How far the system is with the new lines. Once it has looked at all, the screens behind are read again. */
function MatchProgress({ statementId }: { statementId: number }) {
  const utils = trpc.useUtils();
  const { data } = trpc.bank.importProgress.useQuery(
    { statementId },
    { staleTime: 0, refetchInterval: ({ state }) => (state.data?.isDone ? false : askEveryMs) },
  );
  const isDone = data?.isDone ?? false;
  useEffect(() => {
    if (isDone) void Promise.all([utils.bank.invalidate(), utils.payments.invalidate(), utils.payouts.invalidate()]);
  }, [isDone, utils]);
  if (!data || data.newLines === 0) return null;
  return <p role="status">{matchedLinesText(data)}</p>;
}

export function ImportResult({ answer, next, onClose }: { answer: Imported; next: ReactNode; onClose: () => void }) {
  return (
    <>
      <Notice tone="positive" title="The statement is imported">
        <p className={classes.result} role="status">
          {countedLines(answer)}
        </p>
      </Notice>
      <ImportNotes answer={answer} />
      <MatchProgress statementId={answer.statementId} />
      {next}
      <ButtonRow>
        <Button variant={next ? "default" : "filled"} onClick={onClose}>
          See the lines
        </Button>
      </ButtonRow>
    </>
  );
}
