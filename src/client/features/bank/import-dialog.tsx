import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Loader, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatBytes, formatCount, formatNumber } from "#client/lib/format.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FileDrop, UploadProgress } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import {
  type ImportAnswer,
  otherRowsText,
  rewrittenQuestion,
  sampleStatementPath,
} from "#shared/bank/statement-import-texts.ts";
import { bankLimits, bankTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./bank.module.css";
import type { Account } from "./bank-search.ts";
import { MappingForm } from "./mapping-form.tsx";
import { type Import, useImport } from "./use-import.ts";

type Asked = Extract<ImportAnswer, { kind: "asks" }>;
type Imported = Extract<ImportAnswer, { kind: "imported" }>;
type Refused = Extract<ImportAnswer, { kind: "refused" }>;

type ImportDialogProps = {
  opened: boolean;
  accounts: readonly Account[];
  /** The one that is looked at. */
  account: Account;
  isLocalUse: boolean;
  /** What to do with what is sure now, where there is something. */
  next: ReactNode;
  onClose: () => void;
};

/** Imports a statement: the file, what the server asks about it, and what came of it. */
export default function ImportDialog({ opened, ...props }: ImportDialogProps) {
  const [isSending, setIsSending] = useState(false);
  return (
    <Modal
      opened={opened}
      // A file on its way isn't dropped by a press beside the dialog.
      onClose={isSending ? () => undefined : props.onClose}
      title="Import a statement"
      size="52rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {opened && <Steps {...props} onSending={setIsSending} />}
    </Modal>
  );
}

type StepsProps = Omit<ImportDialogProps, "opened"> & { onSending: (isSending: boolean) => void };

function Steps({ accounts, account, isLocalUse, next, onClose, onSending }: StepsProps) {
  const [accountId, setAccountId] = useState(account.id);
  const chosen = accounts.find(({ id }) => id === accountId) ?? account;
  const sending = useImport(accountId);
  const { answer, isSending, share } = sending;
  const [isMapping, setIsMapping] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  useEffect(() => onSending(isSending), [isSending, onSending]);
  // The keyboard goes on with what the server has answered.
  useEffect(() => {
    if (answer) step.current?.focus({ preventScroll: true });
    setIsMapping(false);
  }, [answer]);
  return (
    <div ref={step} className={classes.import} tabIndex={-1}>
      {isSending ? (
        share < 1 ? (
          <UploadProgress of="the statement" share={share} onCancel={sending.cancel} />
        ) : (
          <p className={classes.reading} role="status">
            <Loader size="sm" /> Reading…
          </p>
        )
      ) : answer?.kind === "imported" ? (
        <Result answer={answer} next={next} onClose={onClose} />
      ) : answer?.kind === "asks" ? (
        <Questions key={JSON.stringify(answer.mapping)} answer={answer} sending={sending} />
      ) : (
        <>
          {answer?.kind === "refused" && <Refusal answer={answer} onMap={() => setIsMapping(true)} />}
          {answer?.kind === "refused" && answer.table && isMapping ? (
            <MappingForm
              table={answer.table}
              submitLabel="Read it so"
              onSubmit={(mapping) => sending.send({ mapping })}
              onCancel={() => setIsMapping(false)}
            />
          ) : (
            <Choose
              accounts={accounts}
              account={chosen}
              sending={sending}
              isLocalUse={isLocalUse}
              onAccount={(id) => {
                setAccountId(id);
                sending.choose(sending.file);
              }}
            />
          )}
        </>
      )}
      <LeaveGuard isActive={isSending} title="Leave while the statement is sent?">
        Nothing is imported before the whole file has reached us.
      </LeaveGuard>
    </div>
  );
}

type ChooseProps = {
  accounts: readonly Account[];
  account: Account;
  sending: Import;
  isLocalUse: boolean;
  onAccount: (id: number) => void;
};

function Choose({ accounts, account, sending, isLocalUse, onAccount }: ChooseProps) {
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        sending.send();
      }}
    >
      {accounts.length > 1 ? (
        <NativeSelect
          label="Statement of"
          value={String(account.id)}
          data={accounts.map(({ id, bankName, accountNumber }) => ({
            value: String(id),
            label: `${bankName} ${accountNumber}`,
          }))}
          onChange={({ currentTarget }) => onAccount(Number(currentTarget.value))}
        />
      ) : (
        <p>
          Statement of{" "}
          <strong>
            {account.bankName} {account.accountNumber}
          </strong>
          {account.lastDay && `, after ${formatDay(account.lastDay)}. Days that overlap do no harm.`}
        </p>
      )}
      <FileDrop
        label="Statement"
        hint="CSV, Excel (.xlsx), GTBank's .xls, MT940 or CAMT.053, up to 10 MB. A PDF can't be read."
        accept=".csv,.txt,.xlsx,.xls,.html,.sta,.940,.mt940,.xml"
        file={sending.file}
        onChange={sending.choose}
        formatSize={formatBytes}
        error={sending.fault ?? undefined}
        required
      />
      {sending.failure && (
        <Notice tone="negative" title={sending.failure} isAlert>
          <p>Your file is still chosen here. Trying again does no harm: what is known already isn't imported twice.</p>
        </Notice>
      )}
      <ButtonRow>
        <Button type="submit">Import</Button>
        {isLocalUse && <SampleButton accountId={account.id} />}
      </ButtonRow>
    </form>
  );
}

/** For trying the product: a statement that fits the payments that wait. */
function SampleButton({ accountId }: { accountId: number }) {
  const [isPending, setIsPending] = useState(false);
  return (
    <Button
      variant="default"
      px="sm"
      loading={isPending}
      onClick={async () => {
        setIsPending(true);
        await saveFile(sampleStatementPath(accountId), "sample-statement.csv").catch((error: unknown) =>
          toast.error(bankTexts.sampleFailed, errorText(error)),
        );
        setIsPending(false);
      }}
    >
      Download a sample statement
    </Button>
  );
}

function Refusal({ answer: { faults, moreFaults, table }, onMap }: { answer: Refused; onMap: () => void }) {
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
        <Button className={classes.act} variant="default" onClick={onMap}>
          Say which column is which
        </Button>
      )}
    </>
  );
}

/** What must be known before anything is imported: the columns first, because all else follows from them. */
function Questions({ answer, sending }: { answer: Asked; sending: Import }) {
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
      <Notes answer={answer} />
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

/** "312 lines: 287 new, 25 known." */
const countedLines = ({ lines, newLines, knownLines }: Asked | Imported): string =>
  `${formatCount(lines, "line")}: ${formatNumber(newLines)} new, ${formatNumber(knownLines)} known.`;

function Notes({ answer: { firstDay, lastDay, notes, leftOut } }: { answer: Asked | Imported }) {
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

function Result({ answer, next, onClose }: { answer: Imported; next: ReactNode; onClose: () => void }) {
  return (
    <>
      <Notice tone="positive" title="The statement is imported">
        <p className={classes.result} role="status">
          {countedLines(answer)}
        </p>
      </Notice>
      <Notes answer={answer} />
      {next}
      <ButtonRow>
        <Button variant={next ? "default" : "filled"} onClick={onClose}>
          See the lines
        </Button>
      </ButtonRow>
    </>
  );
}
