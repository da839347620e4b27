import { Button, TextInput } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Card } from "#client/ui/layout/card.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { readSessionTimeout, sessionTimeoutKey } from "#shared/sessions.ts";
import { readSettingValue } from "#shared/setting-inputs.ts";
import { settingTexts as texts } from "#shared/setting-texts.ts";
import classes from "./settings.module.css";
import { useSaveSettings } from "./use-settings.ts";

const EXPIRY_REFRESH_MS = 30_000;

/** After how many idle minutes administrators are signed out, and when that is for this one. */
export function SessionTimeoutCard({ stored }: { stored: string }) {
  const [minutes, setMinutes] = useState(String(readSessionTimeout(stored)));
  const [fault, setFault] = useState<string | null>(null);
  const save = useSaveSettings();
  const refuse = (text: string) => {
    setFault(text);
    toast.error(texts.invalidTitle, text);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = readSettingValue(sessionTimeoutKey, minutes);
    if ("fault" in read) return refuse(read.fault);
    setFault(null);
    save.mutate(
      { values: { [sessionTimeoutKey]: read.value } },
      {
        onSuccess: ({ wasAdded }) => {
          setMinutes(read.value);
          const unit = read.value === "1" ? "minute" : "minutes";
          const text = `Administrators are signed out after ${read.value} ${unit} without activity.`;
          toast.success(wasAdded ? texts.timeoutCreated : texts.timeoutUpdated, text);
        },
        onError: (error) => {
          if (error.data?.reason === "invalid") refuse(errorText(error));
        },
      },
    );
  };
  return (
    <Card title="Session timeout" text="Administrators are signed out after this time without activity.">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Timeout in minutes"
          description="Whole minutes, from 1 to 1440 (24 hours)"
          inputMode="numeric"
          autoComplete="off"
          value={minutes}
          error={fault}
          onChange={({ currentTarget }) => {
            setMinutes(currentTarget.value);
            setFault(null);
          }}
        />
        <Button className={classes.action} type="submit" loading={save.isPending}>
          Save timeout
        </Button>
      </form>
      <Expiry />
    </Card>
  );
}

/** Asked anew every 30 seconds, which doesn't count as activity. */
function Expiry() {
  const { data: viewer } = trpc.auth.viewer.useQuery(undefined, { refetchInterval: EXPIRY_REFRESH_MS });
  return (
    <p className={classes.expiry}>
      <IconClock size={18} aria-hidden="true" />
      <span>
        Your session expires: <strong>{viewer ? formatDateTime(viewer.expiresAt) : "…"}</strong>, later with every
        activity
      </span>
    </p>
  );
}
