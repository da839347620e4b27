import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { addSettingInput, readSettingValue } from "#shared/settings/inputs.ts";
import {
  effectiveValue,
  isBankDetail,
  isKnownSetting,
  isMoneySetting,
  isSwitchedOn,
  type KnownSettingKey,
  knownSettings,
  requireSignInKey,
  requireTwoFactorKey,
  supportEmailKey,
  takesTwoOwners,
  settingTexts as texts,
} from "#shared/settings/texts.ts";
import { AskChangeForm, type AskedChange } from "./ask-change.tsx";
import classes from "./settings.module.css";
import { TwoFactorReach } from "./two-factor-reach.tsx";
import { type Setting, showFailure, useSaveSettings } from "./use-settings.ts";

/**
 * The row as it was when it was opened, so that what another person sets meanwhile isn't written over; or what may be
 * added.
 */
export type SettingQuestion = { setting: Setting } | { setting: null; keys: readonly KnownSettingKey[] };

/** Adds a setting, or changes a value. */
export default function SettingDialog({
  question,
  onClose,
}: {
  question: SettingQuestion | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={question !== null}
      onClose={onClose}
      title={question?.setting ? `Edit ${question.setting.key}` : "Add setting"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {question && <SettingForm question={question} onClose={onClose} />}
    </Modal>
  );
}

function SettingForm({ question, onClose }: { question: SettingQuestion; onClose: () => void }) {
  const { setting } = question;
  const [asked, setAsked] = useState<AskedChange | null>(null);
  const utils = trpc.useUtils();
  const form = useForm({
    initialValues: {
      key: setting?.key ?? "",
      value: setting?.value ?? "",
      description: setting?.description ?? "",
    },
    validate: (values) => {
      const value = readSettingValue(values.key, values.value);
      const faultOf = (field: "key" | "description") =>
        addSettingInput.shape[field].safeParse(values[field]).error?.issues[0]?.message;
      return {
        ...(!setting && { key: faultOf("key"), description: faultOf("description") }),
        ...("fault" in value && { value: value.fault }),
      };
    },
  });
  const { key } = form.values;
  const isBank = isBankDetail(key);
  // A switch shows a value from the beginning, which is then the one that is saved.
  const chooseKey = (chosen: string) => {
    const isSwitch = (one: string) => one === requireSignInKey || one === requireTwoFactorKey;
    form.setFieldValue("key", chosen);
    if (isSwitch(chosen)) form.setFieldValue("value", "false");
    else if (isSwitch(key)) form.setFieldValue("value", "");
  };
  const isTwoFactorSwitchedOn =
    key === requireTwoFactorKey && isSwitchedOn(form.values.value) && !isSwitchedOn(setting?.value);
  const { problem, refuse } = useRefusal(form, false);
  const how = (done: string, failed: string) => ({
    onSuccess: () => {
      toast.success(done);
      onClose();
    },
    onError: (error: unknown) => {
      refuse(error);
      showFailure(failed, error);
    },
    onSettled: () => {
      void utils.auth.viewer.invalidate();
      return utils.settings.list.invalidate();
    },
  });
  const add = trpc.settings.add.useMutation(how(texts.added, texts.addFailed));
  const update = trpc.settings.update.useMutation(how(texts.updated, texts.updateFailed));
  const save = useSaveSettings();
  const isPending = add.isPending || update.isPending || save.isPending;
  const submit = form.onSubmit(({ value, description }) => {
    if (isMoneySetting(key)) {
      const read = readSettingValue(key, value);
      const change = { from: effectiveValue(key, setting?.value), to: "value" in read ? read.value : value };
      if (takesTwoOwners(key, change)) return setAsked({ key, ...change });
    }
    // It has no row of its own: it is part of what the site says of its company.
    if (setting && key === supportEmailKey)
      save.mutate(
        { values: { [key]: value }, seen: { [key]: setting.value } },
        {
          onSuccess: () => {
            toast.success(texts.updated);
            onClose();
          },
          onError: refuse,
        },
      );
    else if (setting) update.mutate({ settingId: setting.id, value, seenValue: setting.value });
    else add.mutate({ key, value, description });
  });
  if (asked) return <AskChangeForm changes={[asked]} onAsked={onClose} onCancel={() => setAsked(null)} />;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      {!setting && (
        <NativeSelect
          label="Key"
          description={isKnownSetting(key) ? knownSettings[key] : undefined}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[{ value: "", label: "Choose a setting" }, ...question.keys]}
          data-autofocus
          {...form.getInputProps("key")}
          onChange={({ currentTarget }) => chooseKey(currentTarget.value)}
        />
      )}
      {key === requireSignInKey || key === requireTwoFactorKey ? (
        <NativeSelect
          label="Value"
          data={["true", "false"]}
          data-autofocus={setting ? true : undefined}
          {...form.getInputProps("value")}
        />
      ) : (
        <Textarea
          label="Value"
          description={setting?.description || undefined}
          autosize
          minRows={1}
          maxRows={8}
          data-autofocus={setting ? true : undefined}
          {...form.getInputProps("value")}
        />
      )}
      {!setting && (
        <TextInput label="Description (optional)" autoComplete="off" {...form.getInputProps("description")} />
      )}
      {isBank && (
        <Notice tone="caution" title="Backers transfer to this account.">
          <p>Once all three are set, a change takes a second person: ask for it under Bank details.</p>
        </Notice>
      )}
      {isTwoFactorSwitchedOn && (
        <Notice tone="caution" title="This makes two-factor sign-in mandatory.">
          <TwoFactorReach />
        </Notice>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {isTwoFactorSwitchedOn ? "Require it" : setting ? "Save" : "Add Setting"}
        </Button>
      </div>
    </form>
  );
}
