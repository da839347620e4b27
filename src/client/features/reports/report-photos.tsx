import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { usePhotoViewer } from "#client/ui/media/use-photo-viewer.tsx";
import { formatDate } from "#shared/dates.ts";
import { findingTexts } from "#shared/reports/texts.ts";
import classes from "./reports.module.css";

type Report = RouterOutputs["reports"]["list"]["items"][number];
type Photo = Report["photos"][number];
type Finding = Photo["findings"][number];

/** A report's photos, and below them what was noticed about each. */
export function ReportPhotos({ report: { number, photos }, mayEdit }: { report: Report; mayEdit: boolean }) {
  const { open, viewer } = usePhotoViewer(
    `Report ${number}`,
    photos.map((photo, place) => ({ ...photo, label: photo.altText || `Photo ${place + 1}` })),
  );
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={classes.photos}>
        {photos.map(({ photoKey, url, altText, width, height }, place) => (
          <li key={photoKey}>
            <button
              type="button"
              className={classes.photo}
              aria-label={`Open photo ${place + 1} of ${photos.length}`}
              onClick={({ currentTarget }) => open(place, currentTarget)}
            >
              <Picture src={url} alt={altText} sizes="(min-width: 48em) 12rem, 45vw" width={width} height={height} />
            </button>
          </li>
        ))}
      </ul>
      {photos.flatMap((photo, place) =>
        photo.findings.map((finding) => (
          <FoundInPhoto key={finding.id} {...{ finding, photo, mayEdit }} place={place + 1} />
        )),
      )}
      {viewer}
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
  return (
    <section className={classes.finding} aria-label={`Photo ${place}: ${title}`}>
      <p className={classes.findingTitle}>
        Photo {place}: {title}
      </p>
      {other && (
        <div className={classes.pair}>
          <figure>
            <Picture
              src={photo.url}
              alt=""
              sizes="(min-width: 48em) 16rem, 45vw"
              width={photo.width}
              height={photo.height}
            />
            <figcaption>This report</figcaption>
          </figure>
          <figure>
            <Picture
              src={other.url}
              alt=""
              sizes="(min-width: 48em) 16rem, 45vw"
              width={undefined}
              height={undefined}
            />
            <figcaption>
              {other.projectTitle ?? "Another page"}, {formatDate(other.at)}
            </figcaption>
          </figure>
        </div>
      )}
      {verdict && <p className={classes.fine}>{verdict === "confirmed" ? confirmed : dismissed}</p>}
      {mayEdit && (
        <ButtonRow>
          <Button
            size="compact-sm"
            variant={verdict === "confirmed" ? "light" : "default"}
            aria-pressed={verdict === "confirmed"}
            loading={decide.isPending && decide.variables.verdict === "confirmed"}
            onClick={() => decide.mutate({ findingId, verdict: "confirmed" })}
          >
            {confirm}
          </Button>
          <Button
            size="compact-sm"
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
