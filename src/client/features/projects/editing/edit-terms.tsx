import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import type { EditedProject } from "./form-values.ts";
import classes from "./project-form.module.css";
import { TermsFields } from "./terms-fields.tsx";
import { faultsOfTerms, type TermsValues, toTermsInput, valuesOfTerms } from "./terms-values.ts";

type EditTermsProps = {
  project: EditedProject;
  /** Asks what is stored now: another version begins the form anew. */
  onReload: () => void;
};

/** The harvest terms of the project's round, saved by themselves. They are frozen while the round is locked. */
export function EditTerms({ project, onReload }: EditTermsProps) {
  const { terms, lockedBy } = project;
  const isFrozen = lockedBy !== null;
  const utils = trpc.useUtils();
  const form = useForm<TermsValues>({ initialValues: valuesOfTerms(terms) });
  const element = useRef<HTMLFormElement>(null);
  const showFaults = (faults: Record<string, string>) => {
    form.setErrors(faults);
    const [first] = Object.keys(faults);
    if (first) element.current?.querySelector<HTMLElement>(`[data-path="${first}"]`)?.focus();
  };
  const update = trpc.projects.updateTerms.useMutation({
    onSuccess: () => {
      toast.success(termsTexts.saved);
      form.resetDirty();
      void utils.projects.invalidate();
      onReload();
    },
    onError: (error) => {
      toast.error(termsTexts.saveFailed, errorText(error));
      showFaults(fieldErrors(error));
    },
  });
  const save = () => {
    const faults = faultsOfTerms(form.values);
    if (Object.keys(faults).length > 0) return showFaults(faults);
    update.mutate({ ...toTermsInput(form.values), projectId: project.id, seenVersion: terms.version });
  };
  return (
    <form
      ref={element}
      className={classes.card}
      noValidate
      aria-labelledby="edit-terms"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2 className={classes.heading} id="edit-terms">
        Harvest terms
      </h2>
      {lockedBy && <Notice tone="neutral" title={termsTexts.frozen[lockedBy]} />}
      <TermsFields form={form} isFrozen={isFrozen} />
      {update.isError && errorReason(update.error) === "conflict" && (
        <Notice tone="caution" title={errorText(update.error)} isAlert>
          <p>What you typed is still here, and isn't saved.</p>
          <ButtonRow>
            <Button size="sm" variant="default" onClick={onReload}>
              Load what is stored
            </Button>
          </ButtonRow>
        </Notice>
      )}
      {!isFrozen && (
        <ButtonRow>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            Save harvest terms
          </Button>
        </ButtonRow>
      )}
      <LeaveGuard isActive={form.isDirty() && !update.isSuccess} title="Leave without saving?" confirmLabel="Leave">
        Your changes to the harvest terms are not saved yet.
      </LeaveGuard>
    </form>
  );
}
