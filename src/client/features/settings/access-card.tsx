import { Switch } from "@mantine/core";
import { toast } from "#client/lib/toast.ts";
import { Card } from "#client/ui/card.tsx";
import { settingTexts as texts } from "#shared/setting-texts.ts";
import { isSwitchedOn, requireSignInKey, requireTwoFactorKey } from "#shared/settings.ts";
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

/** Who gets in, and how. A switch is saved when it is moved. */
export function AccessCard({ settings }: { settings: readonly Setting[] }) {
  const save = useSaveSettings();
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
          onChange={({ currentTarget }) =>
            save.mutate(
              { values: { [key]: String(currentTarget.checked) } },
              { onSuccess: () => toast.success(texts.updated) },
            )
          }
        />
      ))}
    </Card>
  );
}
