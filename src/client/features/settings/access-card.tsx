import { Switch } from "@mantine/core";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { settingTexts as texts } from "#shared/setting-texts.ts";
import { isSwitchedOn, requireSignInKey, requireTwoFactorKey } from "#shared/settings.ts";
import { TwoFactorReach } from "./two-factor-reach.tsx";
import { readSetting, type Setting, useSaveSettings } from "./use-settings.ts";

const switches = [
  {
    key: requireSignInKey,
    label: "Visitors must sign in to see a project",
    description: "When off, project pages are public.",
  },
  {
    key: requireTwoFactorKey,
    label: "Administrators must use two-factor sign-in",
    description: "When on, whoever has none yet sets it up before anything else, you too.",
  },
] as const;

/** Who gets in, and how. A switch is saved when it is moved; what stops administrators at once asks first. */
export function AccessCard({ settings }: { settings: readonly Setting[] }) {
  const save = useSaveSettings();
  const [isAsking, setIsAsking] = useState(false);
  const set = (key: (typeof switches)[number]["key"], isOn: boolean) =>
    save.mutate(
      { values: { [key]: String(isOn) } },
      { onSuccess: () => toast.success(texts.updated), onSettled: () => setIsAsking(false) },
    );
  const moving = save.isPending ? save.variables.values : {};
  return (
    <Card title="Access" text="Each switch is saved as soon as you move it.">
      {switches.map(({ key, label, description }) => (
        <Switch
          key={key}
          size="md"
          label={label}
          description={description}
          checked={isSwitchedOn(moving[key] ?? readSetting(settings, key))}
          disabled={save.isPending}
          onChange={({ currentTarget: { checked } }) => {
            if (key === requireTwoFactorKey && checked) setIsAsking(true);
            else set(key, checked);
          }}
        />
      ))}
      <LazyConfirmDialog
        opened={isAsking}
        title="Require two-factor sign-in?"
        confirmLabel="Require it"
        isPending={save.isPending}
        onConfirm={() => set(requireTwoFactorKey, true)}
        onClose={() => setIsAsking(false)}
      >
        <TwoFactorReach />
      </LazyConfirmDialog>
    </Card>
  );
}
