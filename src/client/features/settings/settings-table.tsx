import { Button } from "@mantine/core";
import { IconEdit, IconPlus } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { ListSection } from "#client/ui/lists/list-page.tsx";
import { formatDate, formatTime } from "#shared/dates.ts";
import { missingSettings, settingValueText, settingTexts as texts } from "#shared/settings/texts.ts";
import type { SettingQuestion } from "./setting-dialog.tsx";
import classes from "./settings.module.css";
import type { Setting } from "./use-settings.ts";

const SettingDialog = lazyDialog(() => import("./setting-dialog.tsx"));

function columnsWith(onEdit: (setting: Setting) => void): Column<Setting>[] {
  return [
    {
      header: "Key",
      width: "13rem",
      inCard: "head",
      render: ({ key }) => <span className={classes.key}>{key}</span>,
    },
    {
      header: "Value",
      render: ({ key, value }) => <span className={classes.value}>{settingValueText(key, value)}</span>,
    },
    { header: "Description", render: ({ description }) => description || <span className={classes.dimmed}>None</span> },
    {
      header: "Updated",
      width: "13rem",
      render: ({ updatedAt, updatedByName }) => (
        <span>
          <time dateTime={updatedAt.toISOString()} className={classes.time}>
            {formatDate(updatedAt)} <span className={classes.dimmed}>{formatTime(updatedAt)}</span>
          </time>
          {updatedByName && <span className={classes.dimmed}> by {updatedByName}</span>}
        </span>
      ),
    },
    {
      header: "Actions",
      width: "7rem",
      inCard: "wide",
      render: (setting) => (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconEdit size={16} aria-hidden="true" />}
          aria-label={`Edit ${setting.key}`}
          onClick={() => onEdit(setting)}
        >
          Edit
        </Button>
      ),
    },
  ];
}

/** Every setting there is, by key. */
export function SettingsTable({ settings }: { settings: readonly Setting[] }) {
  const [question, setQuestion] = useState<SettingQuestion | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  const keys = missingSettings(settings);
  const ask = (next: SettingQuestion) => {
    setWasAsked(true);
    setQuestion(next);
  };
  return (
    <ListSection
      title="Application settings"
      actions={
        keys.length > 0 && (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => ask({ setting: null, keys })}
          >
            Add Setting
          </Button>
        )
      }
    >
      {settings.length === 0 ? (
        <p className={classes.dimmed}>{texts.none}</p>
      ) : (
        <DataTable
          label="Application settings"
          columns={columnsWith((setting) => ask({ setting }))}
          rows={settings}
          rowKey={(setting) => setting.id}
        />
      )}
      {wasAsked && (
        <Suspense>
          <SettingDialog question={question} onClose={() => setQuestion(null)} />
        </Suspense>
      )}
    </ListSection>
  );
}
