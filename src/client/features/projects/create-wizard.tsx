import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { contentKey } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { supporterTier } from "#shared/projects-admin-texts.ts";
import { faultsOf, newProjectValues, type ProjectFormState, stepOf, toInput } from "./form-values.ts";
import { BasicsFields, RewardFields, StoryFields } from "./project-fields.tsx";
import classes from "./project-form.module.css";
import {
  draftName,
  focusField,
  forgetProjectDraft,
  keepProjectDraft,
  readProjectDraft,
  useLeaveAfterSave,
  useProjectForm,
} from "./use-project-form.ts";

const steps = [
  { id: "basics", label: "Basics" },
  { id: "story", label: "Story" },
  { id: "rewards", label: "Rewards" },
] as const;
const last = steps.length - 1;

type CreateWizardProps = { userId: string; onCreated: () => void };

/** A new project in three steps. What was typed outlives a reload, until the project is published. */
export function CreateWizard({ userId, onCreated }: CreateWizardProps) {
  const [draft] = useState(() => readProjectDraft(userId));
  const [step, setStep] = useState(draft?.step ?? 0);
  const [isUploading, setIsUploading] = useState(false);
  const [isDirty, setIsDirty] = useState(draft !== null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstPaint = useRef(true);
  const form = useProjectForm({
    initialValues: draft?.values ?? newProjectValues(),
    onValuesChange: () => setIsDirty(true),
  });
  const utils = trpc.useUtils();
  const create = trpc.projects.create.useMutation({
    onSuccess: () => {
      forgetProjectDraft(userId);
      toast.success("Success!", "Your project has been created successfully.");
      void utils.projects.invalidate();
      void utils.dashboard.invalidate();
    },
    onError: (error) => {
      toast.error(`Failed to create project: ${errorText(error)}`);
      showFaults(fieldErrors(error));
    },
  });
  useLeaveAfterSave(create.isSuccess, onCreated);
  const isBusy = create.isPending || create.isSuccess;

  const { values } = form;
  useEffect(() => {
    if (isDirty && !create.isSuccess) keepProjectDraft(userId, { values, step });
  }, [values, step, isDirty, create.isSuccess, userId]);
  // The keyboard goes on at the top of the new step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what it follows.
  useEffect(() => {
    if (!isFirstPaint.current) heading.current?.focus();
    isFirstPaint.current = false;
  }, [step]);

  function showFaults(faults: Record<string, string>): void {
    const [first] = Object.keys(faults);
    if (first === undefined) return;
    form.setErrors(faults);
    setStep(stepOf(first));
    focusField(form, first);
  }
  const next = () => {
    if (isBusy || isUploading) return;
    const faults = Object.entries(faultsOf(values)).filter(([path]) => stepOf(path) <= step);
    if (faults.length > 0) showFaults(Object.fromEntries(faults));
    else if (step < last) setStep(step + 1);
    else create.mutate({ ...toInput(values), idempotencyKey: contentKey(draftName(userId), values) });
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <TabBar
        label="Steps"
        value={steps[step]?.id ?? "basics"}
        onChange={(id) => setStep(steps.findIndex((one) => one.id === id))}
        tabs={steps.map(({ id, label }, index) => ({
          id,
          label: `${index + 1}. ${label}`,
          isDisabled: index > step || isBusy || (isUploading && index !== step),
          panel: () => (
            <div className={classes.card}>
              <h2 ref={heading} className={classes.heading} tabIndex={-1}>
                {label} <span className="visually-hidden">(step {index + 1} of 3)</span>
              </h2>
              <Step id={id} form={form} onUploading={setIsUploading} />
              <div className={classes.buttons}>
                <Button
                  variant="default"
                  disabled={step === 0 || isBusy || isUploading}
                  onClick={() => setStep(step - 1)}
                >
                  Back
                </Button>
                <Button type="submit" loading={create.isPending} disabled={isUploading || create.isSuccess}>
                  {step === last ? "Publish Project" : "Next"}
                </Button>
              </div>
            </div>
          ),
        }))}
      />
      <LeaveGuard
        isActive={(isDirty && !create.isSuccess) || isUploading}
        title="Leave without publishing?"
        confirmLabel="Leave"
      >
        Your project is not published yet. What you typed stays in this browser tab until you close it.
      </LeaveGuard>
    </form>
  );
}

type StepProps = {
  id: (typeof steps)[number]["id"];
  form: ProjectFormState;
  onUploading: (isUploading: boolean) => void;
};

function Step({ id, form, onUploading }: StepProps) {
  if (id === "basics") return <BasicsFields form={form} />;
  if (id === "story") return <StoryFields form={form} onUploading={onUploading} />;
  return (
    <>
      <p className={classes.lead}>
        Every project starts with one reward: a {supporterTier.label} tier with a thank-you and updates, in unlimited
        quantity. More tiers can be added here, or after submission on the project's edit screen.
      </p>
      <RewardFields form={form} />
    </>
  );
}
