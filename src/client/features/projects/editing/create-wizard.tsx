import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { contentKey } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PlanDays, PlanFigures, TemplateSelect } from "#client/shared-parts/report-plan/plan-fields.tsx";
import {
  type PlanValues,
  readPlanValues,
  valuesOfPlan,
  withTemplate,
} from "#client/shared-parts/report-plan/plan-values.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { supporterTier } from "#shared/projects/admin-texts.ts";
import { type Terms, termsTexts } from "#shared/projects/terms-texts.ts";
import type { PlanTemplate } from "#shared/reports/plans-texts.ts";
import { planOfTemplate, termsOfTemplate } from "#shared/reports/templates.ts";
import { faultsOfProject, newProjectValues, type ProjectFormState, stepOf, toInput } from "./form-values.ts";
import { BasicsFields, RewardFields, StoryFields } from "./project-fields.tsx";
import classes from "./project-form.module.css";
import { TermsFields, TermsPreview } from "./terms-fields.tsx";
import {
  faultsOfTerms,
  type TermsFormState,
  type TermsValues,
  toTermsInput,
  valuesOfParts,
  valuesOfTerms,
} from "./terms-values.ts";
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

const blankPlan = valuesOfPlan(planOfTemplate("none"));

type CreateWizardProps = { userId: string; onCreated: () => void };

/** A new project in three steps, once it is known what its harvest terms are filled with. */
export function CreateWizard(props: CreateWizardProps) {
  const query = trpc.projects.defaultTerms.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  if (query.data) return <Wizard {...props} terms={query.data} />;
  if (query.error) {
    return <LoadFailed query={query} title={termsTexts.defaultsFailed} />;
  }
  return (
    <Loading label="Loading the form">
      <Skeleton height="32rem" radius="var(--mantine-radius-lg)" />
    </Loading>
  );
}

/** The wizard's content outlives a reload, until the project is published. */
function Wizard({ userId, onCreated, terms }: CreateWizardProps & { terms: Terms }) {
  const [draft] = useState(() => readProjectDraft(userId, { terms: valuesOfTerms(terms), plan: blankPlan }));
  const [step, setStep] = useState(draft?.step ?? 0);
  const [isUploading, setIsUploading] = useState(false);
  const [isDirty, setIsDirty] = useState(draft !== null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstPaint = useRef(true);
  const form = useProjectForm({
    initialValues: draft?.values ?? newProjectValues(),
    onValuesChange: () => setIsDirty(true),
  });
  const termsForm = useForm<TermsValues>({
    initialValues: draft?.terms ?? valuesOfTerms(terms),
    onValuesChange: () => setIsDirty(true),
  });
  const [plan, setPlan] = useState(draft?.plan ?? blankPlan);
  const [planFault, setPlanFault] = useState<string | null>(null);
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
  const termsValues = termsForm.values;
  useEffect(() => {
    if (isDirty && !create.isSuccess) keepProjectDraft(userId, { values, terms: termsValues, plan, step });
  }, [values, termsValues, plan, step, isDirty, create.isSuccess, userId]);
  // The keyboard goes on at the top of the new step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what it follows.
  useEffect(() => {
    if (!isFirstPaint.current) heading.current?.focus();
    isFirstPaint.current = false;
  }, [step]);

  function showFaults(faults: Record<string, string>): void {
    if (Object.keys(faults).length === 0) return;
    const [ofTerms, ofProject] = splitFaults(faults);
    form.setErrors(ofProject);
    termsForm.setErrors(ofTerms);
    const [firstOfProject] = Object.keys(ofProject);
    if (firstOfProject !== undefined) {
      setStep(stepOf(firstOfProject));
      focusField(form, firstOfProject);
    } else {
      setStep(last);
      focusField(termsForm, Object.keys(ofTerms)[0]);
    }
  }
  const next = () => {
    if (isBusy || isUploading) return;
    const faults = Object.entries(faultsOfProject(values)).filter(([path]) => stepOf(path) <= step);
    if (step === last) {
      for (const [path, text] of Object.entries(faultsOfTerms(termsValues))) faults.push([`${termsPath}${path}`, text]);
    }
    if (faults.length > 0) return showFaults(Object.fromEntries(faults));
    if (step < last) return setStep(step + 1);
    const read = readPlanValues(plan);
    setPlanFault("fault" in read ? read.fault : null);
    if ("fault" in read) return;
    const idempotencyKey = contentKey(draftName(userId), { ...values, terms: termsValues, plan });
    create.mutate({ ...toInput(values), terms: toTermsInput(termsValues), reportPlan: read.plan, idempotencyKey });
  };

  const planOfStep = {
    values: plan,
    fault: planFault,
    onChange: (changed: PlanValues) => {
      setPlan(changed);
      setPlanFault(null);
      setIsDirty(true);
    },
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
              <Step id={id} form={form} termsForm={termsForm} plan={planOfStep} onUploading={setIsUploading} />
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

/** The server's prefix for fields of the harvest terms within a new project. */
const termsPath = "terms.";

type Faults = Record<string, string>;

/** The faults of the harvest terms, by their own paths, and those of the project. */
function splitFaults(faults: Faults): [ofTerms: Faults, ofProject: Faults] {
  const [ofTerms, ofProject]: [Faults, Faults] = [{}, {}];
  for (const [path, text] of Object.entries(faults)) {
    if (path.startsWith(termsPath)) ofTerms[path.slice(termsPath.length)] = text;
    else ofProject[path] = text;
  }
  return [ofTerms, ofProject];
}

/** Fills in what a farm of the kind usually has, and leaves costs and parts as they are that somebody typed. */
function fillTerms(form: TermsFormState, before: PlanTemplate, chosen: PlanTemplate): void {
  const { unit, deductibleCosts, releaseParts } = termsOfTemplate[chosen];
  const { releaseParts: parts } = form.values;
  if (
    parts.length === 0 ||
    JSON.stringify(parts) === JSON.stringify(valuesOfParts(termsOfTemplate[before].releaseParts))
  )
    form.setFieldValue("releaseParts", valuesOfParts(releaseParts));
  form.setFieldValue("unit", unit);
  const isTyped = form.values.deductibleCosts !== termsOfTemplate[before].deductibleCosts.join("\n");
  if (!isTyped || form.values.deductibleCosts.trim() === "")
    form.setFieldValue("deductibleCosts", deductibleCosts.join("\n"));
}

type StepProps = {
  id: (typeof steps)[number]["id"];
  form: ProjectFormState;
  termsForm: TermsFormState;
  plan: { values: PlanValues; fault: string | null; onChange: (values: PlanValues) => void };
  onUploading: (isUploading: boolean) => void;
};

function Step({ id, form, termsForm, plan, onUploading }: StepProps) {
  if (id === "basics") return <BasicsFields form={form} />;
  if (id === "story") return <StoryFields form={form} onUploading={onUploading} />;
  return (
    <>
      <p className={classes.lead}>
        Every project starts with one reward: a {supporterTier.label} tier with a thank-you and updates, in unlimited
        quantity. More tiers can be added here, or after submission on the project's edit screen.
      </p>
      <RewardFields form={form} />
      <h3 className={classes.section}>Harvest terms</h3>
      <p className={classes.lead}>
        Backers agree to them before they pay. They can be changed until somebody holds or pays for a lot.
      </p>
      <TemplateSelect
        label="What is farmed"
        description="Fills in the unit, the costs and the figures of the farm's reports"
        value={plan.values.template}
        onChange={(template) => {
          fillTerms(termsForm, plan.values.template, template);
          plan.onChange(withTemplate(plan.values, template));
        }}
      />
      <TermsFields form={termsForm} />
      <TermsPreview values={termsForm.values} />
      <h3 className={classes.section}>Farm reports</h3>
      <p className={classes.lead}>
        The farm promises them from the day on which the round is funded. Everybody sees whether they come.
      </p>
      {plan.fault && <Notice tone="negative" isAlert title={plan.fault} />}
      <PlanDays values={plan.values} onChange={plan.onChange} />
      <details className={classes.planned} {...(plan.fault && { open: true })}>
        <summary>
          Each report asks for: {plan.values.figures.map(({ label }) => label || "a figure").join(", ")}
        </summary>
        <div className={classes.fields}>
          <PlanFigures values={plan.values} onChange={plan.onChange} />
        </div>
      </details>
    </>
  );
}
