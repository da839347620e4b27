import { type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useEffectEvent } from "react";
import { isRecord } from "#client/lib/errors.ts";
import { keepForTab, readForTab } from "#client/lib/tab-store.ts";
import type { FigureValues, PlanValues } from "#client/shared-parts/report-plan/plan-values.ts";
import { harvestOptions } from "#shared/projects/terms-texts.ts";
import {
  type ChosenFarm,
  emptyReward,
  faultsOfProject,
  newProjectValues,
  type ProjectFormState,
  type ProjectValues,
  type RewardValues,
} from "./form-values.ts";
import type { TermsValues } from "./terms-values.ts";

type ProjectFormOptions = { initialValues: ProjectValues; onValuesChange?: (values: ProjectValues) => void };

/** A project's form, checked on every change by the schema that the server uses. */
export function useProjectForm({ initialValues, onValuesChange }: ProjectFormOptions): ProjectFormState {
  return useForm<ProjectValues>({
    initialValues,
    validate: faultsOfProject,
    validateInputOnChange: true,
    ...(onValuesChange ? { onValuesChange } : {}),
  });
}

/** Brings the keyboard to the first of the fields that are at fault, once they stand on the screen. */
export function focusField<Values>(
  form: Pick<UseFormReturnType<Values>, "getInputNode">,
  path: string | undefined,
): void {
  if (path === undefined) return;
  requestAnimationFrame(() => {
    const field = form.getInputNode(path);
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  });
}

/**
 * The typed content of the forms, kept for this tab and person until it is published or saved: a reload takes nothing.
 */

const LAST_STEP = 2;
export const draftName = (userId: string) => `project-draft:${userId}` as const;

type ProjectDraft = { values: ProjectValues; terms: TermsValues; plan: PlanValues; step: number };

/** A draft without harvest terms or a report plan, or with one that is of no use, has the given ones. */
export function readProjectDraft(
  userId: string,
  { terms, plan }: Pick<ProjectDraft, "terms" | "plan">,
): ProjectDraft | null {
  const draft = readForTab(draftName(userId));
  const values = readValues(draft.values);
  const step = typeof draft.step === "number" ? Math.min(LAST_STEP, Math.max(0, Math.floor(draft.step))) : 0;
  if (!values) return null;
  return { values, terms: readTermsValues(terms, draft.terms), plan: readPlan(plan, draft.plan), step };
}

function readValues(stored: unknown): ProjectValues | null {
  if (!isRecord(stored)) return null;
  const { rewards, farm: _, ...texts } = newProjectValues();
  const kept = Array.isArray(stored.rewards) ? stored.rewards.filter(isRecord) : null;
  return { ...restoreFields(texts, stored), farm: readFarm(stored.farm), rewards: kept?.map(readReward) ?? rewards };
}

function readFarm(stored: unknown): ChosenFarm | null {
  if (!isRecord(stored) || typeof stored.id !== "number") return null;
  return restoreFields({ id: stored.id, name: "", state: "", place: "" }, stored);
}

const blankPart = { label: "", rate: "", proof: "", afterDays: 0 };

function readTermsValues(blank: TermsValues, stored: unknown): TermsValues {
  if (!isRecord(stored)) return blank;
  const { options, insurance, releaseParts, harvestPlan } = stored;
  const parts = Array.isArray(releaseParts) ? releaseParts.filter(isRecord) : null;
  return {
    ...restoreFields(blank, stored),
    options: Array.isArray(options) ? harvestOptions.filter((option) => options.includes(option)) : blank.options,
    harvestPlan: Array.isArray(harvestPlan) ? harvestPlan.map((one) => (typeof one === "string" ? one : "")) : [],
    insurance: isRecord(insurance) ? restoreFields(blank.insurance, insurance) : blank.insurance,
    releaseParts: parts?.map((part) => restoreFields(blankPart, part)) ?? blank.releaseParts,
  };
}

const blankFigure: FigureValues = { key: "", label: "", unit: "", kind: "count", isRequired: false, curveText: "" };

function readPlan(blank: PlanValues, stored: unknown): PlanValues {
  if (!isRecord(stored) || !Array.isArray(stored.figures)) return blank;
  const figures = stored.figures.filter(isRecord).map((figure) => restoreFields(blankFigure, figure));
  return { ...restoreFields(blank, stored), figures };
}

function readReward(kept: Record<string, unknown>): RewardValues {
  return restoreFields(emptyReward(), kept);
}

const numericFields = ["duration", "quantity", "plannedHarvests", "choiceDays", "collectionDays", "afterDays"];

/** Returns each field's stored value, or the blank one if its type differs; a number's field may hold a text too. */
function restoreFields<Blank extends object>(blank: Blank, kept: Record<string, unknown>): Blank {
  const read = Object.entries(blank).map(([name, value]) => {
    const stored = kept[name];
    const isNumeric = numericFields.includes(name);
    const isAlike = typeof stored === typeof value || (isNumeric && ["number", "string"].includes(typeof stored));
    return [name, isAlike ? stored : value];
  });
  return Object.fromEntries(read) as Blank;
}

export function keepProjectDraft(userId: string, draft: ProjectDraft): void {
  keepForTab(draftName(userId), { ...readForTab(draftName(userId)), ...draft });
}

export function forgetProjectDraft(userId: string): void {
  keepForTab(draftName(userId), null);
}

/** Changes to a project that isn't saved yet, and which version of it they were made to. */
type EditDraft = { values: ProjectValues; seenUpdatedAt: Date };

type EditedBy = { userId: string; projectId: number };
const editDraftName = ({ userId, projectId }: EditedBy) => `edit-draft:${userId}:${projectId}` as const;

export function readEditDraft(whose: EditedBy): EditDraft | null {
  const draft = readForTab(editDraftName(whose));
  const values = readValues(draft.values);
  const seenUpdatedAt = new Date(typeof draft.seenUpdatedAt === "string" ? draft.seenUpdatedAt : Number.NaN);
  return values && !Number.isNaN(seenUpdatedAt.getTime()) ? { values, seenUpdatedAt } : null;
}

/** Null forgets it. */
export function keepEditDraft(whose: EditedBy, draft: EditDraft | null): void {
  keepForTab(editDraftName(whose), draft);
}

/** How long the success stays in sight before the screen goes on (specification, section 9). */
const REDIRECT_MS = 1500;

/** Leads on a moment after the form was saved, unless the person has left by themselves. */
export function useLeaveAfterSave(isSaved: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isSaved) return;
    const timer = setTimeout(leave, REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isSaved]);
}
