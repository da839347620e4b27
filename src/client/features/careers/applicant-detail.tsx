import { Anchor, Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { mailLink } from "#client/lib/addresses.ts";
import { errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import { DetailFacts, DetailHead, DetailSkeleton, WrittenText } from "#client/ui/lists/inbox.tsx";
import { type ApplicantStatus, applicantStatuses, applicantStatusLabels } from "#shared/careers/applicant-statuses.ts";
import { applicantStatusChanged, applicantTexts } from "#shared/careers/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import classes from "./applicants.module.css";

/** One application, to read and to decide on. */
export function ApplicantDetail({ applicationId }: { applicationId: number }) {
  const query = trpc.careers.applicant.useQuery({ applicationId }, { staleTime: 0 });
  if (query.data) return <Application application={query.data} />;
  if (!query.isError) return <DetailSkeleton label="Loading the application" />;
  return <LoadFailed query={query} title={applicantTexts.fetchFailed} />;
}

function Application({ application }: { application: RouterOutputs["careers"]["applicant"] }) {
  const site = useSite();
  const { id, fullName, email, phone, position, coverLetter, resume, createdAt } = application;
  const facts = [
    {
      name: "Email",
      value: <Anchor href={mailLink(email, `Your application as ${position} at ${site.name}`)}>{email}</Anchor>,
    },
    { name: "Phone", value: <Anchor href={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</Anchor> },
  ];
  return (
    <>
      <DetailHead
        title={fullName}
        text={`${position}, applied ${formatDateTime(createdAt)}`}
        closeLabel="Close this application"
      />
      <StatusButtons applicationId={id} status={application.status} />
      <DetailFacts facts={facts} />
      <h3 className={classes.heading}>Resume</h3>
      {resume ? <Resume applicationId={id} resume={resume} /> : <p className={classes.none}>No resume was sent.</p>}
      <h3 className={classes.heading}>Cover letter</h3>
      {coverLetter ? (
        <WrittenText>{coverLetter}</WrittenText>
      ) : (
        <p className={classes.none}>No cover letter was sent.</p>
      )}
    </>
  );
}

type ResumeProps = { applicationId: number; resume: { originalName: string; bytes: number } };

function Resume({ applicationId, resume }: ResumeProps) {
  const { client } = trpc.useUtils();
  const [isPending, setIsPending] = useState(false);
  const download = async () => {
    setIsPending(true);
    try {
      const { url, originalName } = await client.careers.resumeLink.query({ applicationId });
      await saveFile(url, originalName);
    } catch (error) {
      toast.error(applicantTexts.downloadFailed, errorText(error));
    } finally {
      setIsPending(false);
    }
  };
  return (
    <div className={classes.resume}>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} aria-hidden="true" />}
        loading={isPending}
        onClick={() => void download()}
      >
        Download resume
      </Button>
      <span className={classes.file}>
        {resume.originalName}, {formatBytes(resume.bytes)}
      </span>
    </div>
  );
}

const tones: Record<ApplicantStatus, StatusTone> = {
  new: "waiting",
  reviewed: "neutral",
  contacted: "positive",
  rejected: "negative",
};

export function ApplicantBadge({ status }: { status: ApplicantStatus }) {
  return <StatusBadge tone={tones[status]}>{applicantStatusLabels[status]}</StatusBadge>;
}

type StatusButtonsProps = { applicationId: number; status: ApplicantStatus };

/** The four statuses, the present one pressed. One change at a time; what is shown changes with the server's answer. */
function StatusButtons({ applicationId, status }: StatusButtonsProps) {
  const utils = trpc.useUtils();
  const isRunning = useRef(false);
  const mutation = trpc.careers.setApplicantStatus.useMutation({
    onSuccess: (changed) => {
      toast.success(applicantStatusChanged(changed.status));
      utils.careers.applicant.setData({ applicationId }, (shown) => shown && { ...shown, status: changed.status });
    },
    onError: (error) => toast.error(applicantTexts.updateFailed, errorText(error)),
    onSettled: async () => {
      isRunning.current = false;
      await utils.careers.invalidate();
    },
  });
  return (
    <fieldset className={classes.statuses} aria-busy={mutation.isPending}>
      <legend className={classes.legend}>Status</legend>
      {applicantStatuses.map((one) => (
        <Button
          key={one}
          size="sm"
          variant={one === status ? "filled" : "default"}
          aria-pressed={one === status}
          loading={mutation.isPending && mutation.variables.status === one}
          onClick={() => {
            if (one === status || isRunning.current) return;
            isRunning.current = true;
            mutation.mutate({ applicationId, status: one });
          }}
        >
          {applicantStatusLabels[one]}
        </Button>
      ))}
    </fieldset>
  );
}
