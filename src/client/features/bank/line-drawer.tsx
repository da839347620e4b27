import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/overlays.css";
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { useRef } from "react";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { useKeptFocus } from "#client/ui/feedback/use-kept-focus.ts";
import { bankTexts, restOf } from "#shared/bank/texts.ts";
import { formatDateTime, formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import bankClasses from "./bank.module.css";
import type { Account, Line } from "./bank-search.ts";
import { ExplainLine } from "./explain-line.tsx";
import classes from "./line.module.css";
import { LineMatches } from "./line-matches.tsx";
import { Moved } from "./moved.tsx";
import { VoidBankData } from "./void-bank-data.tsx";

type LineDrawerProps = { lineId: number | undefined; accounts: readonly Account[]; onClose: () => void };

/** A line beside the list, on phones over it: what the bank wrote, what explains it and what may. */
export default function LineDrawer({ lineId, accounts, onClose }: LineDrawerProps) {
  return (
    <Drawer
      opened={lineId !== undefined}
      onClose={onClose}
      position="right"
      size="min(100%, 36rem)"
      title="Line of the statement"
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ header: classes.drawerHeader, title: classes.drawerTitle, body: classes.drawerBody }}
      attributes={{ header: { role: "presentation" } }}
    >
      {lineId !== undefined && <OpenLine key={lineId} lineId={lineId} accounts={accounts} />}
    </Drawer>
  );
}

function OpenLine({ lineId, accounts }: { lineId: number; accounts: readonly Account[] }) {
  const query = trpc.bank.line.useQuery({ lineId }, { staleTime: 0 });
  if (query.data) return <LineDetail line={query.data} accounts={accounts} />;
  return query.isError ? (
    <LoadFailed query={query} title={bankTexts.lineFailed} />
  ) : (
    <Loading label="Loading the line">
      <Skeleton width="12rem" height="2rem" />
      <SkeletonText lines={5} />
    </Loading>
  );
}

function LineDetail({ line, accounts }: { line: Line; accounts: readonly Account[] }) {
  const rest = restOf(line);
  const mayVoid = useCan("payments:process");
  const head = useRef<HTMLDivElement>(null);
  useKeptFocus(head);
  return (
    <>
      <div className={classes.lineHead} ref={head} tabIndex={-1}>
        <p className={classes.lineAmount}>
          <Moved kobo={line.amountKobo} />
        </p>
        <p className={bankClasses.dimmed}>
          {line.amountKobo > 0n ? "Came in" : "Went out"} on {formatDay(line.date)}, {line.account.bankName}{" "}
          {line.account.accountNumber}
        </p>
        <p className={classes.wrote} dir="auto">
          {line.narration || "No narration"}
        </p>
        {line.otherTexts.map((other) => (
          <p key={`${other.narration} ${other.bankReference}`} className={classes.alsoWrote} dir="auto">
            The bank also wrote: {otherTextOf(line, other)}
          </p>
        ))}
        {line.isReversal && (
          <p>
            <StatusBadge tone="caution">The bank marks this line as a reversal</StatusBadge>
          </p>
        )}
      </div>
      <LineFacts line={line} />
      <LineMatches line={line} />
      {rest > 0n &&
        (line.canMatch ? (
          // What was begun for a line that has changed since is begun anew.
          <ExplainLine key={String(line.matchedKobo)} line={line} rest={rest} accounts={accounts} />
        ) : (
          <p>{formatNairaExact(rest)} of this line is not matched yet. Owners and cashiers match lines.</p>
        ))}
      {mayVoid && line.matchedKobo === 0n && (
        <section className={classes.part} aria-label="A line that the bank never had">
          <h3>The bank never had this line?</h3>
          <VoidBankData
            details={{ what: "line", lineId: line.id }}
            title={`Void the line of ${formatNairaExact(line.amountKobo)}?`}
            label="Void this line"
          />
        </section>
      )}
    </>
  );
}

/** Where only its reference was another, the reference. */
const otherTextOf = (line: Line, { narration, bankReference }: Line["otherTexts"][number]): string =>
  narration === line.narration ? (bankReference ?? "no reference") : narration || "nothing";

function LineFacts({ line }: { line: Line }) {
  const { valueDate, counterparty, reference, bankReference, customerReference, sessionId, balanceKobo } = line;
  const { gapKobo, row, statement } = line;
  const facts = [
    ["From or to", counterparty],
    ["Our reference", reference],
    ["Bank's reference", bankReference],
    ["Payer's reference", customerReference],
    ["Value date", valueDate && valueDate !== line.date ? formatDay(valueDate) : null],
    ["Balance after it", balanceKobo === null ? null : formatNairaExact(balanceKobo)],
    ["Missing before it", gapKobo === null ? null : `${formatNairaExact(gapKobo)}, accepted at the import`],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} style={{ display: "contents" }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {sessionId && (
        <>
          <dt>Session ID</dt>
          <dd>
            {sessionId} <CopyButton text={sessionId} what="session ID" size="compact-sm" variant="subtle" />
          </dd>
        </>
      )}
      <dt>File</dt>
      <dd>
        {statement.fileUrl ? (
          <a className={bankClasses.fileName} href={statement.fileUrl}>
            {statement.fileName}
          </a>
        ) : (
          statement.fileName
        )}
        , row {row}. Imported by {statement.importedByName} on {formatDateTime(statement.importedAt)}
      </dd>
    </dl>
  );
}
