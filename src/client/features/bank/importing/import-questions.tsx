import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { type ImportAnswer, rewrittenQuestion } from "#shared/bank/statement-import-texts.ts";
import { bankLimits, bankTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./import.module.css";
import { countedLines, ImportNotes } from "./import-outcome.tsx";
import { MappingForm } from "./mapping-form.tsx";
import type { Import } from "./use-import.ts";

type Asked = Extract<ImportAnswer, { kind: "asks" }>;

/** Asks for what must be known before anything is imported: the columns first, because all else follows from them. */
export function ImportQuestions({ answer, sending }: { answer: Asked; sending: Import }) {
  const [openingNaira, setOpeningNaira] = useState("");
  const [gapReason, setGapReason] = useState("");
  const [faults, setFaults] = useState<{ opening?: string; gap?: string }>({});
  const form = useRef<HTMLFormElement>(null);
  if (answer.mapping) {
    return (
      <>
        <p>
          Is this how the bank writes it? You are asked once per account and layout.
          {answer.mapping.bank && ` It looks like ${answer.mapping.bank}.`}
        </p>
        <MappingForm
          table={answer.mapping}
          submitLabel="Yes, go on"
          onSubmit={(mapping) => sending.send({ mapping })}
          onCancel={() => sending.choose(null)}
        />
      </>
    );
  }
  if (answer.rewritten) return <SameLinesQuestion answer={answer} rewritten={answer.rewritten} sending={sending} />;
  return (
    <form
      ref={form}
      className={classes.import}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = {
          ...(answer.opening && openingNaira.trim() === "" && { opening: bankTexts.openingMissing }),
          ...(answer.gaps.length > 0 && gapReason.trim() === "" && { gap: bankTexts.reasonMissing }),
        };
        setFaults(found);
        if (Object.keys(found).length > 0) return;
        sending.send({
          ...(answer.opening && { openingNaira: openingNaira.trim() }),
          ...(answer.gaps.length > 0 && { gapReason: gapReason.trim() }),
        });
      }}
    >
      <p className={classes.result}>{countedLines(answer)}</p>
      <ImportNotes answer={answer} />
      {answer.opening && (
        <TextInput
          label={`Balance before the first line, ${formatDay(answer.firstDay)}`}
          description="The file prints no balance. The ledger begins with this one; it is typed once per account."
          leftSection="₦"
          inputMode="decimal"
          autoComplete="off"
          value={openingNaira}
          error={faults.opening}
          onChange={({ currentTarget }) => setOpeningNaira(currentTarget.value)}
        />
      )}
      {answer.gaps.length > 0 && (
        <>
          <Notice tone="caution" title="Money is missing between the balances">
            <ul className={classes.notes}>
              {answer.gaps.map((gap) => (
                <li key={`${gap.fromDate} ${gap.toDate} ${gap.missingKobo}`}>{gapText(gap)}</li>
              ))}
            </ul>
            <p>Import those days, or go on and say why.</p>
          </Notice>
          <Textarea
            label="Why are these days left out?"
            description="Kept with the statement. Bank and ledger differ by this money until the days are imported."
            autosize
            minRows={2}
            maxLength={bankLimits.reasonLength}
            value={gapReason}
            error={faults.gap}
            onChange={({ currentTarget }) => setGapReason(currentTarget.value)}
          />
        </>
      )}
      <ButtonRow>
        <Button type="submit">
          {answer.newLines === 0 ? "Import" : `Import ${formatCount(answer.newLines, "new line")}`}
        </Button>
        <Button variant="default" onClick={() => sending.choose(null)}>
          Choose another file
        </Button>
      </ButtonRow>
    </form>
  );
}

type SameLinesProps = { answer: Asked; rewritten: NonNullable<Asked["rewritten"]>; sending: Import };

/** A bank may write a narration anew overnight; one answer is enough for all lines of a file. */
function SameLinesQuestion({ answer, rewritten: { count, lines }, sending }: SameLinesProps) {
  return (
    <>
      <p className={classes.result}>{rewrittenQuestion(lines, count)}</p>
      <p>
        Day and amount are the same, and so is what the bank prints beside them; the text is another. Yes keeps the
        fuller text and imports nothing twice.
      </p>
      <ul className={classes.rewritten} aria-label="Lines with two texts">
        {lines.map(({ date, amountKobo, before, now }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal in all that is shown.
          <li key={index}>
            <strong>
              {formatDay(date)}, {formatSigned(BigInt(amountKobo))}
            </strong>
            <dl>
              <dt>You have</dt>
              <dd>{before}</dd>
              <dt>This file</dt>
              <dd>{now}</dd>
            </dl>
          </li>
        ))}
        {count > lines.length && <li>and {formatNumber(count - lines.length)} more</li>}
      </ul>
      <p>{countedLines(answer)}</p>
      <ButtonRow>
        <Button onClick={() => sending.send({ sameLines: "yes" })}>
          {count === 1 ? "Yes, the same line" : "Yes, the same lines"}
        </Button>
        <Button variant="default" onClick={() => sending.send({ sameLines: "no" })}>
          {count === 1 ? "No, another transfer" : "No, other transfers"}
        </Button>
        <Button variant="default" onClick={() => sending.choose(null)}>
          Choose another file
        </Button>
      </ButtonRow>
    </>
  );
}

const formatSigned = (kobo: bigint): string =>
  kobo < 0n ? `${formatNairaExact(-kobo)} out` : `${formatNairaExact(kobo)} in`;

function gapText({ fromDate, toDate, missingKobo }: Asked["gaps"][number]): string {
  const kobo = BigInt(missingKobo);
  const amount = formatNairaExact(kobo < 0n ? -kobo : kobo);
  const way = kobo > 0n ? "came in" : "went out";
  if (fromDate && toDate)
    return `${amount} ${way} between ${formatDay(fromDate)} and ${formatDay(toDate)}, and no line says so.`;
  if (toDate) return `${amount} ${way} before ${formatDay(toDate)}, and no line says so.`;
  return `${amount} ${way}${fromDate ? ` after ${formatDay(fromDate)}` : ""}, and no line says so.`;
}
