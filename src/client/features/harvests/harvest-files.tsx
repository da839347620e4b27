import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { MissingPicture, useMissing } from "#client/ui/media/picture.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests-admin-texts.ts";
import { harvestLimits as limits } from "#shared/harvests-texts.ts";
import { EvidenceField, useEvidence } from "./evidence.tsx";
import { DialogFields, FormDialog, useDialogForm } from "./form-dialog.tsx";
import { type Harvest, nameOf, photosOf, useLookAgain } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Photos and documents of the harvest itself, or of its loss. Backers see them once it isn't a draft. */
export function HarvestFiles({ harvest }: { harvest: Harvest }) {
  const [isAdding, setIsAdding] = useState(false);
  const files = photosOf(harvest);
  const canAdd = harvest.state !== "withdrawn" && files.length < limits.files;
  if (files.length === 0 && !canAdd) return null;
  const close = () => setIsAdding(false);
  return (
    <section className={classes.section} aria-label={`Photos and documents of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Photos and documents</h3>
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map((file, index) => (
            <li key={file.id}>
              <FileTile file={file} label={`${file.name}, ${index + 1} of ${files.length}`} />
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <Button className={classes.action} variant="default" size="sm" onClick={() => setIsAdding(true)}>
          Add a photo or document…
        </Button>
      )}
      <FormDialog opened={isAdding} title={`Add to ${nameOf(harvest)}`} onClose={close}>
        <AddFile harvestId={harvest.id} onClose={close} />
      </FormDialog>
    </section>
  );
}

function FileTile({ file, label }: { file: Harvest["files"][number]; label: string }) {
  const { isMissing, ...watched } = useMissing(file.url);
  const isPicture = file.contentType.startsWith("image/");
  return (
    <a className={classes.file} href={file.url} target="_blank" rel="noreferrer" aria-label={label}>
      {!isPicture ? (
        <IconFileText className={classes.thumb} size={40} stroke={1.5} aria-hidden="true" />
      ) : isMissing ? (
        <MissingPicture className={classes.thumb} />
      ) : (
        <img className={classes.thumb} src={file.url} alt="" loading="lazy" decoding="async" {...watched} />
      )}
      <span className={classes.fileName} aria-hidden="true">
        {file.name}
      </span>
    </a>
  );
}

/** A link to the evidence of a cost or a sale. */
export function EvidenceLink({ file, of }: { file: Harvest["files"][number] | undefined; of: string }) {
  if (!file) return <span className={classes.fine}>None</span>;
  return (
    <a className={classes.link} href={file.url} target="_blank" rel="noreferrer" aria-label={`Evidence of ${of}`}>
      Evidence
    </a>
  );
}

function AddFile({ harvestId, onClose }: { harvestId: number; onClose: () => void }) {
  const lookAgain = useLookAgain();
  const evidence = useEvidence();
  const add = trpc.harvests.addFile.useMutation();
  const sent = useDialogForm({
    initialValues: {},
    check: () => {
      const fileId = evidence.check();
      return fileId ? { fileId } : {};
    },
    send: async () => {
      await evidence.send((fileId) => add.mutateAsync({ harvestId, fileId }));
      toast.success(texts.fileAdded);
      onClose();
      await lookAgain();
    },
  });
  return (
    <DialogFields sent={sent} submitLabel="Add" isSendingFile={evidence.share !== null} onCancel={onClose}>
      <p>Its backers see it once they are told of the harvest. It can't be removed again.</p>
      <EvidenceField label="Photo or document" evidence={evidence} refused={sent.form.errors.fileId} />
    </DialogFields>
  );
}
