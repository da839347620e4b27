import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { PhotoGrid } from "#client/ui/media/photo-grid.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { formatDate } from "#shared/dates.ts";
import { findingTexts, reportTexts } from "#shared/reports/texts.ts";
import classes from "./reports.module.css";

type Report = RouterOutputs["reports"]["list"]["items"][number];
type Photo = Report["photos"][number];
type Finding = Photo["findings"][number];

/** A report's photos, and below them what was noticed about each. */
export function ReportPhotos({ report: { number, dueAt, photos }, mayEdit }: { report: Report; mayEdit: boolean }) {
  return (
    <>
      <PhotoGrid title={`Report ${number}`} of={`the report of ${formatDate(dueAt)}`} photos={photos} />
      {photos.flatMap((photo, place) =>
        photo.findings.map((finding) => (
          <FoundInPhoto key={finding.id} {...{ finding, photo, mayEdit }} place={place + 1} />
        )),
      )}
    </>
  );
}

type FoundProps = { finding: Finding; photo: Photo; place: number; mayEdit: boolean };

/** One thing that was noticed: beside the other photo where there is one. A person decides. */
function FoundInPhoto({ finding: { id: findingId, kind, verdict, other }, photo, place, mayEdit }: FoundProps) {
  const utils = trpc.useUtils();
  const decide = trpc.reports.decideFinding.useMutation({
    onSettled: () => utils.reports.list.invalidate(),
    onError: (error) => toast.error("This didn't work.", errorText(error)),
  });
  const { title, confirm, dismiss, confirmed, dismissed } = findingTexts[kind];
  const isOfPair = kind === "same_bytes" || kind === "alike";
  return (
    <section className={classes.finding} aria-label={`Photo ${place}: ${title}`}>
      <p className={classes.findingTitle}>
        Photo {place}: {title}
      </p>
      {other ? (
        <div className={classes.pair}>
          <Compared shown={photo} where="This report" />
          <Compared shown={other} where={other.projectTitle ?? "Another page"} />
        </div>
      ) : (
        <p className={classes.fine}>
          {isOfPair ? reportTexts.otherGone : photo.takenAt && reportTexts.cameraDate(photo.takenAt)}
        </p>
      )}
      {verdict && <p className={classes.fine}>{verdict === "confirmed" ? confirmed : dismissed}</p>}
      {mayEdit && (
        <ButtonRow>
          <Button
            size="sm"
            variant={verdict === "confirmed" ? "light" : "default"}
            aria-pressed={verdict === "confirmed"}
            loading={decide.isPending && decide.variables.verdict === "confirmed"}
            onClick={() => decide.mutate({ findingId, verdict: "confirmed" })}
          >
            {confirm}
          </Button>
          <Button
            size="sm"
            variant={verdict === "dismissed" ? "light" : "default"}
            aria-pressed={verdict === "dismissed"}
            loading={decide.isPending && decide.variables.verdict === "dismissed"}
            onClick={() => decide.mutate({ findingId, verdict: "dismissed" })}
          >
            {dismiss}
          </Button>
        </ButtonRow>
      )}
    </section>
  );
}

type Shown = { url: string; at: Date; takenAt: Date | null };

/** One photo of a pair, whole, and below it where it was shown, when it came, and when its camera says it was taken. */
function Compared({ shown: { url, at, takenAt }, where }: { shown: Shown; where: string }) {
  return (
    <figure>
      <Picture src={url} alt="" sizes="(min-width: 48em) 20rem, 90vw" width={undefined} height={undefined} />
      <figcaption>
        {where}, {formatDate(at)}
        {takenAt && <span>{reportTexts.cameraDate(takenAt)}</span>}
      </figcaption>
    </figure>
  );
}
