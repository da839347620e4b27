import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/button-row.tsx";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Notice } from "#client/ui/notice.tsx";
import { projectAdminTexts } from "#shared/project-admin-texts.ts";
import { BasicsFields } from "./basics-fields.tsx";
import { type EditedProject, faultsOf, toInput, valuesOfProject } from "./form-values.ts";
import classes from "./project-form.module.css";
import { RewardFields } from "./reward-fields.tsx";
import { StoryFields } from "./story-fields.tsx";
import { useLeaveAfterSave } from "./use-leave-after-save.ts";
import { focusField, useProjectForm } from "./use-project-form.ts";

type EditFormProps = {
  project: EditedProject;
  /** Another look at what is stored. */
  onReload: () => Promise<EditedProject | undefined>;
  onDone: () => void;
};

/** A project's fields as cards. Somebody else's change meanwhile is never overwritten unseen, and nothing typed is lost. */
export function EditForm({ project, onReload, onDone }: EditFormProps) {
  const [seen, setSeen] = useState(project);
  const [isDirty, setIsDirty] = useState(false);
  const [isUploading, setIsUploading] = useState(false);
  const form = useProjectForm({ initialValues: valuesOfProject(project), onValuesChange: () => setIsDirty(true) });
  const utils = trpc.useUtils();
  const update = trpc.projects.update.useMutation({
    onSuccess: () => {
      toast.success("Project updated successfully");
      void utils.projects.invalidate();
      void utils.dashboard.invalidate();
    },
    onError: (error) => {
      toast.error(`Failed to update project: ${errorText(error)}`);
      showFaults(fieldErrors(error));
    },
  });
  useLeaveAfterSave(update.isSuccess, onDone);
  const isBusy = update.isPending || update.isSuccess;
  const refusal = update.isError ? errorReason(update.error) : null;

  function showFaults(faults: Record<string, string>): void {
    const [first] = Object.keys(faults);
    if (first === undefined) return;
    form.setErrors(faults);
    focusField(form, first);
  }
  const save = (over: EditedProject) => {
    if (isBusy || isUploading) return;
    const faults = faultsOf(form.values);
    if (Object.keys(faults).length > 0) return showFaults(faults);
    update.mutate({ ...toInput(form.values), projectId: project.id, seenUpdatedAt: over.updatedAt });
  };
  /** Looks at what somebody else saved, and then goes on with it or over it. */
  const lookAgain = async (goOn: (theirs: EditedProject) => void) => {
    const theirs = await onReload();
    if (!theirs) return;
    setSeen(theirs);
    goOn(theirs);
  };
  const takeTheirs = (theirs: EditedProject) => {
    update.reset();
    form.setValues(valuesOfProject(theirs));
    form.clearErrors();
  };

  return (
    <form
      noValidate
      className={classes.cards}
      onSubmit={(event) => {
        event.preventDefault();
        save(seen);
      }}
    >
      <Card title="Project Details">
        <BasicsFields form={form} isGoalLocked={seen.isGoalLocked} />
      </Card>
      <Card title="Project Story">
        <StoryFields form={form} onUploading={setIsUploading} />
      </Card>
      <Card title="Rewards">
        <RewardFields form={form} />
      </Card>
      {refusal === "conflict" && (
        <Notice tone="caution" title={projectAdminTexts.changed} isAlert>
          <p>What you typed is still here. Save it over the other changes, or start again from them.</p>
          <ButtonRow>
            <Button size="sm" onClick={() => void lookAgain(save)}>
              Save my version
            </Button>
            <Button size="sm" variant="default" onClick={() => void lookAgain(takeTheirs)}>
              Load their version
            </Button>
          </ButtonRow>
        </Notice>
      )}
      {refusal === "not_found" && (
        <Notice tone="negative" title={projectAdminTexts.notFound} isAlert>
          <p>Somebody deleted this project while you were editing it. What you typed is still here to be copied.</p>
        </Notice>
      )}
      <ButtonRow>
        <Button type="submit" loading={update.isPending} disabled={isUploading || update.isSuccess}>
          Save Changes
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onDone}>
          Cancel
        </Button>
      </ButtonRow>
      <LeaveGuard
        isActive={(isDirty && !update.isSuccess) || isUploading}
        title="Leave without saving?"
        confirmLabel="Leave"
      >
        Your changes to this project are not saved yet. If you leave now, they are lost.
      </LeaveGuard>
    </form>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.card}>
      <h2 className={classes.heading}>{title}</h2>
      {children}
    </section>
  );
}
