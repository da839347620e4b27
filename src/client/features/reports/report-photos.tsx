import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PhotoFinding } from "#client/shared-parts/photo-finding.tsx";
import { PhotoGrid } from "#client/ui/media/photo-grid.tsx";
import { formatDate } from "#shared/dates.ts";

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
          <FoundInPhoto key={finding.id} finding={finding} photo={photo} mayEdit={mayEdit} place={place + 1} />
        )),
      )}
    </>
  );
}

type FoundProps = { finding: Finding; photo: Photo; place: number; mayEdit: boolean };

function FoundInPhoto({ finding, photo, place, mayEdit }: FoundProps) {
  const utils = trpc.useUtils();
  const decide = trpc.reports.decideFinding.useMutation({
    onSettled: () => utils.reports.list.invalidate(),
    onError: (error) => toast.error("This didn't work.", errorText(error)),
  });
  return (
    <PhotoFinding
      finding={finding}
      photo={photo}
      place={place}
      where="This report"
      pending={decide.isPending ? decide.variables.verdict : null}
      {...(mayEdit && { onDecide: (verdict) => decide.mutate({ findingId: finding.id, verdict }) })}
    />
  );
}
