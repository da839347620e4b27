import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { EvidenceField, useEvidence } from "#client/shared-parts/evidence.tsx";
import { MissingPicture, Picture, useMissing } from "#client/ui/media/picture.tsx";
import { usePhotoViewer } from "#client/ui/media/use-photo-viewer.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestLimits as limits } from "#shared/harvests/texts.ts";
import { DialogFields, FormDialog, useDialogForm } from "./form-dialog.tsx";
import { type Harvest, nameOf, photosOf, useRefetchHarvests } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

type File = Harvest["files"][number];

type FilesProps = {
  harvest: Pick<Harvest, "id" | "isInsurance" | "number" | "files">;
  canAdd: boolean;
  add: (file: { harvestId: number; fileId: string }) => Promise<unknown>;
};

/** Photos and documents of the harvest itself, or of its loss. Backers see them once it isn't a draft. */
export function HarvestFiles({ harvest, canAdd: mayAdd, add }: FilesProps) {
  const [isAdding, setIsAdding] = useState(false);
  const files = photosOf(harvest);
  const canAdd = mayAdd && harvest.files.length < limits.files;
  const photos = files.filter(isPicture);
  const viewed = photos.map(({ url, name }) => ({ url, label: name }));
  const { open, viewer } = usePhotoViewer(`Photos of ${nameOf(harvest)}`, viewed);
  const close = () => setIsAdding(false);
  if (files.length === 0 && !canAdd) return null;
  return (
    <section className={classes.section} aria-label={`Photos and documents of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Photos and documents</h3>
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map((file, index) => (
            <li key={file.id}>
              <FileTile
                file={file}
                label={`${file.name}, ${index + 1} of ${files.length}`}
                onOpen={(tile) => open(photos.indexOf(file), tile)}
              />
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAdding(true)}>
          Add a photo or document…
        </Button>
      )}
      {viewer}
      <FormDialog opened={isAdding} title={`Add to ${nameOf(harvest)}`} onClose={close}>
        <AddFile harvestId={harvest.id} add={add} onClose={close} />
      </FormDialog>
    </section>
  );
}

const isPicture = ({ contentType }: File) => contentType.startsWith("image/");

type FileTileProps = { file: File; label: string; onOpen: (tile: HTMLElement) => void };

/** A photo opens in the viewer, a document in a tab of its own. */
function FileTile({ file, label, onOpen }: FileTileProps) {
  const { isMissing, ...watched } = useMissing(file.url);
  const name = (
    <span className={classes.fileName} aria-hidden="true">
      {file.name}
    </span>
  );
  if (!isPicture(file)) {
    return (
      <a className={classes.file} href={file.url} target="_blank" rel="noreferrer" aria-label={label}>
        <IconFileText className={classes.thumb} size={40} stroke={1.5} aria-hidden="true" />
        {name}
      </a>
    );
  }
  return (
    <button
      type="button"
      className={classes.file}
      aria-label={label}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      {isMissing ? (
        <MissingPicture className={classes.thumb} />
      ) : (
        <Picture
          className={classes.thumb}
          src={file.url}
          alt=""
          sizes="(min-width: 36em) 12rem, 45vw"
          width={400}
          height={300}
          {...watched}
        />
      )}
      {name}
    </button>
  );
}

/** The evidence of a cost or a sale: a photo opens in the viewer, a document in a tab of its own. */
export function EvidenceLink({ file, of }: { file: File | undefined; of: string }) {
  const label = `Evidence of ${of}`;
  const { open, viewer } = usePhotoViewer(label, file ? [{ url: file.url, label: file.name }] : []);
  if (!file) return <span className={classes.fine}>None</span>;
  if (!isPicture(file)) {
    return (
      <a className={classes.link} href={file.url} target="_blank" rel="noreferrer" aria-label={label}>
        Evidence
      </a>
    );
  }
  return (
    <>
      <button
        type="button"
        className={classes.link}
        aria-label={label}
        onClick={({ currentTarget }) => open(0, currentTarget)}
      >
        Evidence
      </button>
      {viewer}
    </>
  );
}

function AddFile({ harvestId, add, onClose }: Pick<FilesProps, "add"> & { harvestId: number; onClose: () => void }) {
  const refetch = useRefetchHarvests();
  const evidence = useEvidence("/uploads/harvest-evidence");
  const sent = useDialogForm({
    initialValues: {},
    check: () => {
      const fileId = evidence.check();
      return fileId ? { fileId } : {};
    },
    send: async () => {
      await evidence.send((fileId) => add({ harvestId, fileId }));
      toast.success(texts.fileAdded);
      onClose();
      await refetch();
    },
  });
  return (
    <DialogFields sent={sent} submitLabel="Add" isSendingFile={evidence.share !== null} onCancel={onClose}>
      <p>Its backers see it once they are told of the harvest. It can't be removed again.</p>
      <EvidenceField label="Photo or document" evidence={evidence} refused={sent.form.errors.fileId} />
    </DialogFields>
  );
}
