import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { Card } from "#client/ui/layout/card.tsx";
import { readSettingValue } from "#shared/setting-inputs.ts";
import { settingTexts as texts } from "#shared/setting-texts.ts";
import { supportEmailKey } from "#shared/settings.ts";
import classes from "./settings.module.css";
import { useSaveSettings } from "./use-settings.ts";

export function SupportEmailCard({ stored }: { stored: string }) {
  const [email, setEmail] = useState(stored);
  const [fault, setFault] = useState<string | null>(null);
  const save = useSaveSettings();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = readSettingValue(supportEmailKey, email);
    if ("fault" in read) return setFault(read.fault);
    setFault(null);
    save.mutate(
      { values: { [supportEmailKey]: read.value } },
      {
        onSuccess: () => toast.success(texts.updated, texts.supportUpdated),
        onError: (error) => {
          if (fieldErrors(error)[supportEmailKey]) setFault(errorText(error));
        },
      },
    );
  };
  return (
    <Card title="Support email" text="Contact messages and job applications are announced here.">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Support email"
          type="email"
          autoComplete="off"
          value={email}
          error={fault}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            setFault(null);
          }}
        />
        <Button className={classes.action} type="submit" loading={save.isPending}>
          Save support email
        </Button>
      </form>
    </Card>
  );
}
