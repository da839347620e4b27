import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { EditReportPlan } from "#client/shared-parts/report-plan/change-plan.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { projectAdminTexts } from "#shared/projects/admin-texts.ts";
import { EditTerms } from "./edit-terms.tsx";
import { type EditedProject, faultsOfProject, isSame, toInput, valuesOfProject } from "./form-values.ts";
import { BasicsFields, RewardFields, StoryFields } from "./project-fields.tsx";
import classes from "./project-form.module.css";
import { focusField, keepEditDraft, readEditDraft, useLeaveAfterSave, useProjectForm } from "./use-project-form.ts";

/** Returns the text for a project that can't be loaded; the screen then goes back to the dashboard. */
function failureText(error: unknown): string {
  const reason = errorReason(error);
  if (reason === "not_found") return projectAdminTexts.notFound;
  if (reason === "network") return projectAdminTexts.loadFailed;
  return `Failed to fetch project details: ${errorText(error)}`;
}

type EditProjectProps = { userId: string; projectId: number; onDone: () => void };

/** The edit screen: loads the project once, so that nothing changes under the hands of whoever edits. */
export function EditProject({ userId, projectId, onDone }: EditProjectProps) {
  const utils = trpc.useUtils();
  const query = trpc.projects.forEdit.useQuery(
    { projectId },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnMount: "always" },
  );
  const fail = useEffectEvent((error: unknown) => {
    toast.error(failureText(error));
    onDone();
  });
  const { error, data } = query;
  useEffect(() => {
    if (error && !data) fail(error);
  }, [error, data]);

  if (!data) return <EditSkeleton />;
  const reload = async () => {
    try {
      return await utils.client.projects.forEdit.query({ projectId });
    } catch (failure) {
      toast.error(`Failed to load project: ${errorText(failure)}`);
      return undefined;
    }
  };
  return (
    <div className={classes.cards}>
      <EditForm key={`project ${data.id}`} userId={userId} project={data} onReload={reload} onDone={onDone} />
      <EditTerms
        key={`terms ${data.terms.version} ${data.lockedBy}`}
        project={data}
        onReload={() => void query.refetch()}
      />
      <EditReportPlan projectId={data.id} />
    </div>
  );
}

function EditSkeleton() {
  return (
    <Loading label="Loading project">
      <div className={classes.cards}>
        {["Project Details", "Project Story"].map((title) => (
          <div key={title} className={classes.card}>
            <Skeleton width="10rem" height="1.5rem" />
            {["one", "two", "three", "four"].map((field) => (
              <Skeleton key={field} height="4.5rem" />
            ))}
          </div>
        ))}
      </div>
    </Loading>
  );
}

type EditFormProps = {
  userId: string;
  project: EditedProject;
  /** Another look at what is stored. */
  onReload: () => Promise<EditedProject | undefined>;
  onDone: () => void;
};

/**
 * A project's fields as cards. Somebody else's change meanwhile is never overwritten unseen, and nothing typed is lost,
 * by a reload neither.
 */
function EditForm({ userId, project, onReload, onDone }: EditFormProps) {
  const whose = { userId, projectId: project.id };
  const [draft] = useState(() => {
    const kept = readEditDraft(whose);
    return kept && !isSame(kept.values, valuesOfProject(project)) ? kept : null;
  });
  const [seen, setSeen] = useState(project);
  // Of the version that the changes were made to: an older one is refused, and the person is asked.
  const [seenUpdatedAt, setSeenUpdatedAt] = useState(draft?.seenUpdatedAt ?? project.updatedAt);
  const [isFromDraft, setIsFromDraft] = useState(draft !== null);
  const [isUploading, setIsUploading] = useState(false);
  const form = useProjectForm({ initialValues: draft?.values ?? valuesOfProject(project) });
  const { values } = form;
  const isDirty = !isSame(values, valuesOfProject(seen));
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: who edits what never changes while the form stands.
  useEffect(() => {
    keepEditDraft(whose, isDirty && !update.isSuccess ? { values, seenUpdatedAt } : null);
  }, [values, seenUpdatedAt, isDirty, update.isSuccess]);
  const refusal = update.isError ? errorReason(update.error) : null;
  const choice = useRef<HTMLDivElement>(null);
  // Into the middle of the screen, where no toast lies over it; the keyboard goes on there.
  useEffect(() => {
    if (refusal !== "conflict") return;
    choice.current?.focus({ preventScroll: true });
    choice.current?.scrollIntoView({ block: "center", behavior: "instant" });
  }, [refusal]);

  function showFaults(faults: Record<string, string>): void {
    const [first] = Object.keys(faults);
    if (first === undefined) return;
    form.setErrors(faults);
    focusField(form, first);
  }
  const save = (over: Date) => {
    if (isBusy || isUploading) return;
    const faults = faultsOfProject(values);
    if (Object.keys(faults).length > 0) return showFaults(faults);
    update.mutate({ ...toInput(values), projectId: project.id, seenUpdatedAt: over });
  };
  /** Looks at what somebody else saved, and then goes on with it or over it. */
  const refetch = async (goOn: (theirs: EditedProject) => void) => {
    const theirs = await onReload();
    if (!theirs) return;
    setSeen(theirs);
    setSeenUpdatedAt(theirs.updatedAt);
    goOn(theirs);
  };
  const takeStored = (stored: EditedProject) => {
    update.reset();
    form.setValues(valuesOfProject(stored));
    form.clearErrors();
    setIsFromDraft(false);
  };
  const discard = () => {
    setSeenUpdatedAt(seen.updatedAt);
    takeStored(seen);
  };

  return (
    <form
      noValidate
      className={classes.cards}
      onSubmit={(event) => {
        event.preventDefault();
        save(seenUpdatedAt);
      }}
    >
      {isFromDraft && isDirty && !isBusy && (
        <Notice tone="neutral" title="Your unsaved changes are back">
          <p>You changed this project in this tab before and didn't save it. What you see is not public yet.</p>
          <ButtonRow>
            <Button size="sm" variant="default" onClick={discard}>
              Discard my changes
            </Button>
          </ButtonRow>
        </Notice>
      )}
      <Card title="Project Details">
        <BasicsFields form={form} lockedBy={seen.lockedBy} isFarmFixed={seen.isFarmFixed} />
      </Card>
      <Card title="Project Story">
        <StoryFields form={form} onUploading={setIsUploading} />
      </Card>
      <Card title="Rewards">
        <RewardFields form={form} />
      </Card>
      {refusal === "conflict" && (
        <div ref={choice} className={classes.choice} tabIndex={-1}>
          <Notice tone="caution" title={projectAdminTexts.changed} isAlert>
            <p>What you typed is still here. Save it over the other changes, or start again from them.</p>
            <ButtonRow>
              <Button size="sm" onClick={() => void refetch(({ updatedAt }) => save(updatedAt))}>
                Save my version
              </Button>
              <Button size="sm" variant="default" onClick={() => void refetch(takeStored)}>
                Load their version
              </Button>
            </ButtonRow>
          </Notice>
        </div>
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
        Your changes to this project are not saved yet. What you typed stays in this browser tab until you close it.
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
