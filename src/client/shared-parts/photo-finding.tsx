import { Button } from "@mantine/core";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { formatDate } from "#shared/dates.ts";
import { findingTexts, reportTexts } from "#shared/reports/texts.ts";
import classes from "./photo-finding.module.css";

type Verdict = "confirmed" | "dismissed";
/** A document has no address. */
type Shown = { url: string | null; at: Date; takenAt: Date | null };

type PhotoFindingProps = {
  finding: {
    id: number;
    kind: keyof typeof findingTexts;
    verdict: Verdict | null;
    other: (Shown & { projectTitle: string | null }) | null;
  };
  photo: Shown;
  /** Where this photo is: "This report". */
  where: string;
  /** 1 is the first photo or document. */
  place: number;
  /** Absent where nobody decides any more, or not this person. */
  onDecide?: (verdict: Verdict) => void;
  /** The verdict that is being sent. */
  pending: Verdict | null;
};

/** One thing that was noticed about a photo or a document: beside the other photo where there is one. A person decides. */
export function PhotoFinding({ finding, photo, where, place, onDecide, pending }: PhotoFindingProps) {
  const { kind, verdict, other } = finding;
  const { title, confirm, dismiss, confirmed, dismissed } = findingTexts[kind];
  const named = `${photo.url === null ? "Paper" : "Photo"} ${place}`;
  const isOfPair = kind === "same_bytes" || kind === "alike";
  const choices: [Verdict, string][] = [
    ["confirmed", confirm],
    ["dismissed", dismiss],
  ];
  return (
    <section className={classes.finding} aria-label={`${named}: ${title}`}>
      <p className={classes.title}>
        {named}: {title}
      </p>
      {other ? (
        <div className={classes.pair}>
          <Compared shown={photo} where={where} />
          <Compared shown={other} where={other.projectTitle ?? "Another page"} />
        </div>
      ) : (
        <p className={classes.fine}>
          {isOfPair ? reportTexts.otherGone : photo.takenAt && reportTexts.cameraDate(photo.takenAt)}
        </p>
      )}
      {verdict && <p className={classes.fine}>{verdict === "confirmed" ? confirmed : dismissed}</p>}
      {onDecide && (
        <ButtonRow>
          {choices.map(([choice, label]) => (
            <Button
              key={choice}
              size="sm"
              variant={verdict === choice ? "light" : "default"}
              aria-pressed={verdict === choice}
              loading={pending === choice}
              onClick={() => onDecide(choice)}
            >
              {label}
            </Button>
          ))}
        </ButtonRow>
      )}
    </section>
  );
}

/** One photo of a pair, whole, and below it where it was shown, when it came, and when its camera says it was taken. */
function Compared({ shown: { url, at, takenAt }, where }: { shown: Shown; where: string }) {
  return (
    <figure>
      {url !== null && (
        <Picture src={url} alt="" sizes="(min-width: 48em) 20rem, 90vw" width={undefined} height={undefined} />
      )}
      <figcaption>
        {where}, {formatDate(at)}
        {takenAt && <span>{reportTexts.cameraDate(takenAt)}</span>}
      </figcaption>
    </figure>
  );
}
