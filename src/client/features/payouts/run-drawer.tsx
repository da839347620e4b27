import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/overlays.css";
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { useRef } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { Loading, Skeleton, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { useKeptFocus } from "#client/ui/feedback/use-kept-focus.ts";
import { formatDateTime } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { groupedHash, payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { RunState } from "./payout-runs.tsx";
import classes from "./payouts.module.css";
import type { Run } from "./payouts-search.ts";
import { RunActions } from "./run-actions.tsx";
import { RunLines } from "./run-lines.tsx";

/** A run beside the list, on phones over it: what it pays to whom, who answers for it, and its next step. */
export default function RunDrawer({ runId, onClose }: { runId: number | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={runId !== undefined}
      onClose={onClose}
      position="right"
      size="min(100%, 52rem)"
      title={runId === undefined ? "Payment run" : `Payment run ${runId}`}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ header: classes.drawerHeader, title: classes.drawerTitle, body: classes.drawerBody }}
      attributes={{ header: { role: "presentation" } }}
    >
      {runId !== undefined && <OpenRun key={runId} runId={runId} />}
    </Drawer>
  );
}

function OpenRun({ runId }: { runId: number }) {
  const query = trpc.payouts.run.useQuery({ runId }, { staleTime: 0 });
  if (query.data) return <RunDetail run={query.data} />;
  return query.isError ? (
    <LoadFailed query={query} title={texts.runFailed} />
  ) : (
    <Loading label="Loading the payment run">
      <Skeleton width="12rem" height="2rem" />
      <SkeletonText lines={6} />
    </Loading>
  );
}

function RunDetail({ run }: { run: Run }) {
  // The buttons of a step go with it: the keyboard goes on at the next one, or where there is none at the run's head.
  const place = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  useKeptFocus(head, place);
  return (
    <>
      <div className={classes.runHead} ref={head} tabIndex={-1}>
        <RunState run={run} />
        <p className={`money ${classes.runTotal}`}>{formatNairaExact(run.totalKobo)}</p>
        <p className={classes.dimmed}>
          {texts.count(run.payouts)} from {run.ownAccount.bankName} {run.ownAccount.accountNumber}
        </p>
        <p className={classes.dimmed}>{texts.hashLabel}</p>
        <p className={classes.runHash}>
          <code>{groupedHash(run.linesSha256)}</code>{" "}
          <CopyButton text={run.linesSha256} what="hash of the lines" size="compact-sm" variant="subtle" />
        </p>
        {run.state !== "void" && run.state !== "closed" && <p className={classes.dimmed}>{texts.compare}</p>}
      </div>
      <RunFacts run={run} />
      {/* Whoever signs reads first what they sign. */}
      {run.state === "draft" && <RunLines run={run} />}
      <div className={classes.drawerStep} ref={place}>
        <RunActions run={run} />
      </div>
      {run.state !== "draft" && <RunLines run={run} />}
      <RunSheet run={run} />
      <Hashes run={run} />
    </>
  );
}

function RunFacts({ run }: { run: Run }) {
  const by = (name: string | null, at: Date | null) => (at ? `${name ?? "Unknown"}, ${formatDateTime(at)}` : null);
  const facts = [
    ["Made by", by(run.madeByName, run.createdAt)],
    ["Approved by", by(run.approvedByName, run.approvedAt)],
    ["Approved alone", run.aloneReason],
    ["Files made by", by(run.exportedByName, run.exportedAt)],
    ["Closed", run.closedAt && formatDateTime(run.closedAt)],
    ["Cancelled by", by(run.voidedByName, run.voidedAt)],
    ["Why cancelled", run.voidReason],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The sheet that is made with the run's files, for whoever files what was paid. */
function RunSheet({ run }: { run: Run }) {
  const utils = trpc.useUtils();
  if (run.exportedAt === null) return null;
  return (
    <p>
      <PaperButton
        label="Payout run sheet"
        name={`of payment run ${run.id}`}
        find={() => utils.papers.find.fetch({ kind: "run_sheet", id: run.id })}
      />
    </p>
  );
}

/** For whoever compares the files with the log. */
function Hashes({ run }: { run: Run }) {
  const hashes = run.files.map(({ format, layout, sha256 }) => {
    const what = `the ${format} file${layout === 1 ? "" : `, layout ${layout}`}`;
    return { name: `Hash of ${what}`, what: `hash of ${what}`, sha256 };
  });
  if (hashes.length === 0) return null;
  return (
    <dl className={classes.facts} aria-label="Hashes">
      {hashes.map(({ name, what, sha256 }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code className={classes.hash}>{sha256}</code>{" "}
            <CopyButton text={sha256} what={what} size="compact-sm" variant="subtle" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
