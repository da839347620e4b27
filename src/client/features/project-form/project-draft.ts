import { isRecord } from "#client/lib/errors.ts";
import { keepForTab, readKept } from "#client/lib/tab-store.ts";
import { emptyReward, newProjectValues, type ProjectValues, type RewardValues } from "./form-values.ts";

/** What was typed into the forms, kept for this tab and person until it is published or saved: a reload takes nothing. */

const LAST_STEP = 2;
export const draftName = (userId: string) => `project-draft:${userId}` as const;

export type ProjectDraft = { values: ProjectValues; step: number };

export function readProjectDraft(userId: string): ProjectDraft | null {
  const draft = readKept(draftName(userId));
  const values = readValues(draft.values);
  const step = typeof draft.step === "number" ? Math.min(LAST_STEP, Math.max(0, Math.floor(draft.step))) : 0;
  return values && { values, step };
}

function readValues(stored: unknown): ProjectValues | null {
  if (!isRecord(stored)) return null;
  const { rewards, ...texts } = newProjectValues();
  const kept = Array.isArray(stored.rewards) ? stored.rewards.filter(isRecord) : null;
  return { ...likeBlank(texts, stored), rewards: kept?.map(readReward) ?? rewards };
}

function readReward(kept: Record<string, unknown>): RewardValues {
  return likeBlank(emptyReward(), kept);
}

/** What was stored, where it is of the kind that the field holds; a number's field may hold a text as well. */
function likeBlank<Blank extends object>(blank: Blank, kept: Record<string, unknown>): Blank {
  const read = Object.entries(blank).map(([name, value]) => {
    const stored = kept[name];
    const isNumeric = name === "duration" || name === "quantity";
    const isAlike = typeof stored === typeof value || (isNumeric && ["number", "string"].includes(typeof stored));
    return [name, isAlike ? stored : value];
  });
  return Object.fromEntries(read) as Blank;
}

export function keepProjectDraft(userId: string, draft: ProjectDraft): void {
  keepForTab(draftName(userId), { ...readKept(draftName(userId)), ...draft });
}

export function forgetProjectDraft(userId: string): void {
  keepForTab(draftName(userId), null);
}

/** Changes to a project that isn't saved yet, and which version of it they were made to. */
export type EditDraft = { values: ProjectValues; seenUpdatedAt: Date };

type EditedBy = { userId: string; projectId: number };
const editDraftName = ({ userId, projectId }: EditedBy) => `edit-draft:${userId}:${projectId}` as const;

export function readEditDraft(whose: EditedBy): EditDraft | null {
  const draft = readKept(editDraftName(whose));
  const values = readValues(draft.values);
  const seenUpdatedAt = new Date(typeof draft.seenUpdatedAt === "string" ? draft.seenUpdatedAt : Number.NaN);
  return values && !Number.isNaN(seenUpdatedAt.getTime()) ? { values, seenUpdatedAt } : null;
}

/** Null forgets it. */
export function keepEditDraft(whose: EditedBy, draft: EditDraft | null): void {
  keepForTab(editDraftName(whose), draft);
}
