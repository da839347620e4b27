import "#client/ui/mantine/fields.css";
import { Button, Checkbox } from "@mantine/core";
import { IconArrowBackUp, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { excuseForm, sendBackForm } from "#shared/reports/inputs.ts";
import { figureWithUnit } from "#shared/reports/record-texts.ts";
import type { ReportState } from "#shared/reports/schedule.ts";
import { reportLimits, reportStateLabels } from "#shared/reports/texts.ts";
import { ReportPhotos } from "./report-photos.tsx";
import classes from "./reports.module.css";

type Report = RouterOutputs["reports"]["list"]["items"][number];
type RowProps = { report: Report; mayEdit: boolean };

const toneOf: Record<ReportState, StatusTone> = {
  coming: "neutral",
  due: "waiting",
  late: "caution",
  missed: "negative",
  sent: "waiting",
  published: "positive",
  excused: "neutral",
};

function useReportAct() {
  const utils = trpc.useUtils();
  return {
    onSettled: () => Promise.all([utils.reports.invalidate(), utils.updates.list.invalidate()]),
    onError: (error: unknown) => toast.error("This didn't work.", errorText(error)),
  };
}

/** A report that waits: what the farm sent, what was noticed about it, and what can be done. */
export function WaitingReport({ report, mayEdit }: RowProps) {
  const { id: reportId, number, sentAt, code, content, farmNote, questions, photos } = report;
  const [isCodeSeen, setIsCodeSeen] = useState(false);
  const act = useReportAct();
  const back = useInlineForm();
  const publish = trpc.reports.publish.useMutation({
    ...act,
    onSuccess: () => toast.success(`Report ${number} is published. Its backers are told.`),
  });
  const sendBack = trpc.reports.sendBack.useMutation({ onSettled: act.onSettled });
  const openFindings = photos.some(({ findings }) => findings.some(({ verdict }) => verdict === null));
  return (
    <article className={classes.waiting} aria-label={`Report ${number}`}>
      <header className={classes.head}>
        <h3 className={classes.title}>Report {number}</h3>
        <StatusBadge tone="waiting">{reportStateLabels.sent}</StatusBadge>
        {sentAt && <time dateTime={sentAt.toISOString()}>{formatDateTime(sentAt)}</time>}
      </header>
      {questions.length > 0 && (
        <Notice tone="caution" title="These figures look wrong. The sender says that they are right.">
          <ul className={classes.questions}>
            {questions.map((question) => (
              <li key={question}>{question}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ReportFigures figures={report.figures} />
      <p className={classes.content}>{content}</p>
      {farmNote && (
        <p className={classes.note}>
          <strong>The farm's note:</strong> {farmNote}
        </p>
      )}
      <ReportPhotos report={report} mayEdit={mayEdit} />
      {mayEdit && !back.isOpen && (
        <>
          {photos.length > 0 && (
            <Checkbox
              label={`The code ${code} is in a photo`}
              checked={isCodeSeen}
              onChange={({ currentTarget }) => setIsCodeSeen(currentTarget.checked)}
            />
          )}
          {openFindings && <p className={classes.fine}>Decide about the photos first, then publish it.</p>}
          <ButtonRow>
            <Button
              loading={publish.isPending}
              disabled={openFindings}
              leftSection={<IconSend size={18} aria-hidden="true" />}
              onClick={() => publish.mutate({ reportId, isCodeSeen })}
            >
              Publish report
            </Button>
            <Button
              ref={back.opener}
              variant="default"
              leftSection={<IconArrowBackUp size={18} aria-hidden="true" />}
              onClick={back.open}
            >
              Send back…
            </Button>
          </ButtonRow>
        </>
      )}
      {back.isOpen && (
        <InlineReason
          heading="Send back to the farm"
          description="The farm reads this in a mail and on its page, and sends the report again."
          submitLabel="Send back"
          schema={sendBackForm}
          maxLength={reportLimits.sentBackNote.max}
          onCancel={back.close}
          onSubmit={(reason) =>
            sendBack.mutateAsync({ reportId, reason }).then(() => toast.success("The farm is asked to send it again."))
          }
        />
      )}
    </article>
  );
}

function ReportFigures({ figures }: Pick<Report, "figures">) {
  if (figures.length === 0) return null;
  return (
    <dl className={classes.figures}>
      {figures.map(({ value, ...figure }) => (
        <div key={figure.key}>
          <dt>{figure.label}</dt>
          <dd>{figureWithUnit(figure, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A report that is published or hasn't come, in one line. One that doesn't come can be excused. */
export function OwedReport({ report, mayEdit }: RowProps) {
  const { id: reportId, number, dueAt, state, publishedAt, excuse, asks } = report;
  const form = useInlineForm();
  const act = useReportAct();
  const excuseIt = trpc.reports.excuse.useMutation({ onSettled: act.onSettled });
  const withdraw = trpc.reports.withdrawExcuse.useMutation(act);
  const isOwed = state === "due" || state === "late" || state === "missed" || state === "coming";
  return (
    <li className={classes.row}>
      <span className={classes.number}>Report {number}</span>
      <StatusBadge tone={toneOf[state]}>{reportStateLabels[state]}</StatusBadge>
      <span className={classes.fine}>
        {publishedAt ? `Published ${formatDate(publishedAt)}` : `Due ${formatDateTime(dueAt)}`}
        {asks > 0 && ` · ${asks === 1 ? "1 backer asks" : `${asks} backers ask`} for it`}
        {report.sentBackNote && isOwed && ` · sent back: ${report.sentBackNote}`}
      </span>
      {excuse && state === "excused" && <p className={classes.excuse}>{excuse}</p>}
      {mayEdit && isOwed && state !== "coming" && !form.isOpen && (
        <Button ref={form.opener} size="compact-sm" variant="subtle" onClick={form.open}>
          Excuse…
        </Button>
      )}
      {mayEdit && state === "excused" && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate({ reportId })}
        >
          Take the excuse back
        </Button>
      )}
      {form.isOpen && (
        <InlineReason
          heading={`Excuse report ${number}`}
          description="Everybody reads on the project's page why this report doesn't come."
          submitLabel="Excuse"
          schema={excuseForm}
          maxLength={reportLimits.excuse.max}
          onCancel={form.close}
          onSubmit={(reason) => excuseIt.mutateAsync({ reportId, reason }).then(form.close)}
        />
      )}
    </li>
  );
}
