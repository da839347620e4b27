import { isRecord } from "#client/lib/errors.ts";
import { keepForTab, readKept } from "#client/lib/tab-store.ts";
import { emptyReward, newProjectValues, type ProjectValues, type RewardValues } from "./form-values.ts";

/** What was typed into the wizard, kept for this tab and person until it is published: a reload takes nothing. */

const LAST_STEP = 2;
export const draftName = (userId: string) => `project-draft:${userId}` as const;

export type ProjectDraft = { values: ProjectValues; step: number };

export function readProjectDraft(userId: string): ProjectDraft | null {
  const draft = readKept(draftName(userId));
  if (!isRecord(draft.values)) return null;
  const { rewards, ...texts } = newProjectValues();
  const values = likeBlank(texts, draft.values);
  const kept = Array.isArray(draft.values.rewards) ? draft.values.rewards.filter(isRecord) : null;
  const step = typeof draft.step === "number" ? Math.min(LAST_STEP, Math.max(0, Math.floor(draft.step))) : 0;
  return { values: { ...values, rewards: kept?.map(readReward) ?? rewards }, step };
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
