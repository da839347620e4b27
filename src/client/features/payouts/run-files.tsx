import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRequests } from "#client/shared-parts/open-requests.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ownEscape } from "#client/ui/feedback/own-escape.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDateTime } from "#shared/dates.ts";
import type { PayoutProfile } from "#shared/payouts/columns.ts";
import { payoutFilePath, payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { ChooseColumns } from "./choose-columns.tsx";
import classes from "./payouts.module.css";
import type { Run } from "./payouts-search.ts";
import { RefusedForm } from "./refused-form.tsx";

/** The files of a run that was given to the bank, and the ways out where the bank doesn't take them. */
export function RunFiles({ run }: { run: Run }) {
  const layout = useInlineForm();
  const refused = useInlineForm();
  const isAsked = useRequests("refuse_payouts").has(String(run.id));
  const onWay = run.lines.filter(({ state }) => state === "sent");
  // Its files have all of its lines.
  const isOver = onWay.length < run.lines.length;
  const layouts = [...new Set(run.files.map((file) => file.layout))];
  if (layout.isOpen) return <AnotherLayout run={run} onDone={layout.close} />;
  if (refused.isOpen) return <RefusedForm run={run} onWay={onWay} onDone={refused.close} />;
  return (
    <div className={classes.step}>
      <p>
        {isOver
          ? texts.giveNoMore
          : layouts.length > 1
            ? "Give one of these files to your bank, once. All have the same lines, and stay as they are."
            : "Give one of the two files to your bank, once. Both say the same, and stay as they are."}
      </p>
      {layouts.map((one) => (
        <Layout key={one} run={run} layout={one} isToGive={!isOver && one === layouts.at(-1)} />
      ))}
      {run.givenAt ? (
        <p className={classes.dimmed}>
          {run.givenByName ?? "An owner"} said on {formatDateTime(run.givenAt)} that the bank has it.
        </p>
      ) : (
        onWay.length > 0 && <GiveRun run={run} />
      )}
      {isAsked && (
        <p>
          <StatusBadge tone="waiting">Another owner is asked whether the bank refused it</StatusBadge>
        </p>
      )}
      {onWay.length > 0 && (
        <ButtonRow>
          {onWay.length === run.lines.length && (
            <Button ref={layout.opener} variant="default" onClick={layout.open}>
              Another layout…
            </Button>
          )}
          {!isAsked && (
            <Button ref={refused.opener} variant="default" onClick={refused.open}>
              The bank refused it…
            </Button>
          )}
        </ButtonRow>
      )}
    </div>
  );
}

/** An owner says that the bank has the file. */
function GiveRun({ run }: { run: Run }) {
  const utils = trpc.useUtils();
  const [problem, setProblem] = useState<string | null>(null);
  const give = trpc.payouts.giveRun.useMutation({
    onSuccess: () => toast.success(texts.given),
    onError: (error) => setProblem(errorText(error)),
    onSettled: () => utils.payouts.invalidate(),
  });
  return (
    <>
      {problem && (
        <Notice tone="negative" isAlert title={texts.giveFailed}>
          <p>{problem}</p>
        </Notice>
      )}
      <p>Nobody was told yet. Once the bank has a file, say so: whoever gets the money reads that it is on its way.</p>
      <ButtonRow>
        <Button
          variant="default"
          loading={give.isPending}
          onClick={() => {
            setProblem(null);
            give.mutate({ runId: run.id });
          }}
        >
          The bank has it
        </Button>
      </ButtonRow>
    </>
  );
}

function Layout({ run, layout, isToGive }: { run: Run; layout: number; isToGive: boolean }) {
  const files = run.files.filter((file) => file.layout === layout);
  return (
    <>
      {run.files.length > files.length && (
        <p className={classes.dimmed}>
          Layout {layout}: {files[0]?.columns.map(({ title }) => title).join(", ")}
        </p>
      )}
      <ButtonRow>
        {files.map(({ format }) => (
          <Button
            key={format}
            component="a"
            href={payoutFilePath(run.id, format, layout)}
            download
            variant={format === "csv" && isToGive ? "filled" : "default"}
            leftSection={<IconDownload size={18} aria-hidden="true" />}
          >
            Download {format === "csv" ? "CSV" : "Excel"}
            {run.files.length > files.length && ` ${layout}`}
          </Button>
        ))}
      </ButtonRow>
    </>
  );
}

function AnotherLayout({ run, onDone }: { run: Run; onDone: () => void }) {
  const utils = trpc.useUtils();
  const [profile, setProfile] = useState<PayoutProfile>(run.ownColumns ? "own" : "generic");
  const [problem, setProblem] = useState<string | null>(null);
  const add = trpc.payouts.addRunLayout.useMutation({
    onSuccess: () => {
      toast.success(texts.layoutMade);
      onDone();
    },
    onError: (error) => setProblem(errorText(error)),
    onSettled: () => utils.payouts.invalidate(),
  });
  return (
    <div className={classes.step} {...ownEscape(() => !add.isPending && onDone())}>
      {problem && (
        <Notice tone="negative" isAlert title={texts.layoutFailed}>
          <p>{problem}</p>
        </Notice>
      )}
      <p>Where the bank couldn't read the file: the same lines in other columns. Nothing is sent twice by it.</p>
      <ChooseColumns run={run} value={profile} onChange={setProfile} takesFocus />
      <ButtonRow>
        <Button loading={add.isPending} onClick={() => add.mutate({ runId: run.id, profile })}>
          Make the file
        </Button>
        <Button variant="default" disabled={add.isPending} onClick={onDone}>
          Back
        </Button>
      </ButtonRow>
    </div>
  );
}
