import { type SubmitEvent, Suspense, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { readSettingValue } from "#shared/settings/inputs.ts";
import {
  groupDigits,
  isMoneySetting,
  isNairaSetting,
  type NumberSettingKey,
  settingDefaults,
  takesTwoOwners,
  settingTexts as texts,
} from "#shared/settings/texts.ts";
import type { AskedChange } from "./ask-change.tsx";
import classes from "./settings.module.css";
import { useSaveSettings } from "./use-settings.ts";

const AskChangeDialog = lazyDialog(() => import("./ask-change.tsx"));

export type StoredNumbers = Partial<Record<NumberSettingKey, string>>;

/**
 * Numbers that are changed together. What one owner changes alone is saved at once; what takes two is sent to another
 * owner, with a reason. One that isn't set (stored as "") shows its default.
 */
export function useNumbers(keys: readonly NumberSettingKey[], stored: StoredNumbers) {
  const keptOf = (key: NumberSettingKey) => stored[key] || settingDefaults[key];
  const shownOf = (key: NumberSettingKey) => (isNairaSetting(key) ? groupDigits(keptOf(key)) : keptOf(key));
  const [values, setValues] = useState<StoredNumbers>({});
  const [faults, setFaults] = useState<StoredNumbers>({});
  const [asked, setAsked] = useState<AskedChange[]>([]);
  const save = useSaveSettings();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wrong: StoredNumbers = {};
    const alone: StoredNumbers = {};
    const byTwo: AskedChange[] = [];
    for (const key of keys) {
      const read = readSettingValue(key, values[key] ?? shownOf(key));
      if ("fault" in read) wrong[key] = read.fault;
      else if (read.value !== keptOf(key)) {
        const change = { from: keptOf(key), to: read.value };
        if (isMoneySetting(key) && takesTwoOwners(key, change)) byTwo.push({ key, ...change });
        else alone[key] = read.value;
      }
    }
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return;
    if (Object.keys(alone).length === 0) {
      if (byTwo.length === 0) toast.info(texts.nothingToSave);
      return setAsked(byTwo);
    }
    const saved = {
      values: alone,
      seen: Object.fromEntries(Object.keys(alone).map((key) => [key, seenOf(key, stored)])),
    };
    save.mutate(saved, {
      onSuccess: () => {
        toast.success(texts.updated);
        setAsked(byTwo);
      },
    });
  };
  return {
    typedOf: (key: NumberSettingKey) => values[key] ?? shownOf(key),
    faultOf: (key: NumberSettingKey) => faults[key],
    type: (key: NumberSettingKey, value: string) => {
      setValues((typed) => ({ ...typed, [key]: value }));
      setFaults((told) => ({ ...told, [key]: undefined }));
    },
    submit,
    isPending: save.isPending,
    dialog: asked.length > 0 && (
      <Suspense>
        <AskChangeDialog
          changes={asked}
          onAsked={() => {
            setAsked([]);
            setValues({});
          }}
          onClose={() => setAsked([])}
        />
      </Suspense>
    ),
  };
}

const seenOf = (key: string, stored: Record<string, string | undefined>) => stored[key] ?? "";

/** The changes of these settings that another owner is asked to confirm. Nothing if there are none. */
export function AskedChanges({ keys }: { keys: readonly NumberSettingKey[] }) {
  const { data } = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  const waiting = (data?.requests ?? []).filter(
    ({ kind, subject }) => kind === "change_setting" && keys.some((key) => key === subject),
  );
  return waiting.map(({ id, title }) => (
    <p key={id} className={classes.dimmed}>
      Waits for another owner: {title}.
    </p>
  ));
}
