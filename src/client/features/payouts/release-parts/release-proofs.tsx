import { IconFileText } from "@tabler/icons-react";
import { PhotoGrid } from "#client/ui/media/photo-grid.tsx";
import classes from "./release-proofs.module.css";

type Proof = { id: number; url: string | null; width: number | null; height: number | null };

type ProofFilesProps = {
  proofs: readonly Proof[];
  /** A name for what they belong to, as in "the proof of 12 Jun 2026": it names the photos. */
  of: string;
  /** Says instead of links who may open the documents. */
  documentsFor?: string;
};

/** The photos and documents that a part of a round's money was asked for with. */
export function ProofFiles({ proofs, of, documentsFor }: ProofFilesProps) {
  const photos = proofs.flatMap(({ url, width, height }) =>
    url === null ? [] : [{ url, ...(width !== null && { width }), ...(height !== null && { height }) }],
  );
  const documents = proofs.filter(({ url }) => url === null);
  return (
    <>
      <PhotoGrid title="Proof" of={of} photos={photos} />
      {documents.length > 0 && documentsFor !== undefined && <p className={classes.fine}>{documentsFor}</p>}
      {documents.length > 0 && documentsFor === undefined && (
        <ul className={classes.documents}>
          {documents.map(({ id }, place) => (
            <li key={id}>
              <a className={classes.document} href={`/files/release-proofs/${id}`} target="_blank" rel="noreferrer">
                <IconFileText size={20} stroke={1.5} aria-hidden="true" />
                Document {place + 1} of {documents.length}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
