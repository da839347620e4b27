import { Button, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { CurrentPassword } from "#client/ui/current-password.tsx";
import { Notice } from "#client/ui/notice.tsx";
import { accountTexts } from "#shared/account-texts.ts";
import { addSettingInput, readSettingValue } from "#shared/setting-inputs.ts";
import { isBankDetail, settingTexts as texts } from "#shared/setting-texts.ts";
import { requireSignInKey, requireTwoFactorKey } from "#shared/settings.ts";
import classes from "./settings.module.css";
import { type Setting, tellFailure } from "./use-settings.ts";

/** The row as it was when it was opened, so that what another person sets meanwhile isn't written over; null to add one. */
export type SettingQuestion = { setting: Setting | null };

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
      {question && <SettingForm setting={question.setting} onClose={onClose} />}
    </Modal>
  );
}

function SettingForm({ setting, onClose }: { setting: Setting | null; onClose: () => void }) {
  const utils = trpc.useUtils();
  const account = trpc.users.account.useQuery();
  const hasPassword = account.data?.hasPassword ?? true;
  const form = useForm({
    initialValues: {
      key: setting?.key ?? "",
      value: setting?.value ?? "",
      description: setting?.description ?? "",
      currentPassword: "",
    },
    validate: (values) => {
      const key = values.key.trim().toLowerCase();
      const value = readSettingValue(key, values.value);
      const keyFault = addSettingInput.shape.key.safeParse(values.key).error?.issues[0]?.message;
      return {
        ...(!setting && keyFault && { key: keyFault }),
        ...("fault" in value && { value: value.fault }),
        ...(isBankDetail(key) &&
          hasPassword &&
          !values.currentPassword && { currentPassword: accountTexts.passwordMissing }),
      };
    },
  });
  const isBank = isBankDetail(form.values.key.trim().toLowerCase());
  const { problem, refuse } = useRefusal(form, isBank && hasPassword);
  const how = (done: string, failed: string) => ({
    onSuccess: () => {
      toast.success(done);
      onClose();
    },
    onError: (error: unknown) => {
      refuse(error);
      tellFailure(failed, error);
    },
    onSettled: () => {
      void utils.auth.viewer.invalidate();
      return utils.settings.list.invalidate();
    },
  });
  const add = trpc.settings.add.useMutation(how(texts.added, texts.addFailed));
  const update = trpc.settings.update.useMutation(how(texts.updated, texts.updateFailed));
  const isPending = add.isPending || update.isPending;
  const submit = form.onSubmit(({ key, value, description, currentPassword }) => {
    const password = isBank && hasPassword ? { currentPassword } : {};
    if (setting) update.mutate({ settingId: setting.id, value, seenValue: setting.value, ...password });
    else add.mutate({ key, value, description, ...password });
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      {!setting && (
        <TextInput
          label="Key"
          description="Small letters, digits, dots, hyphens and underscores"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          data-autofocus
          {...form.getInputProps("key")}
        />
      )}
      {setting && (setting.key === requireSignInKey || setting.key === requireTwoFactorKey) ? (
        <NativeSelect label="Value" data={["true", "false"]} data-autofocus {...form.getInputProps("value")} />
      ) : (
        <Textarea
          label="Value"
          description={setting?.description || undefined}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={5000}
          data-autofocus={setting ? true : undefined}
          {...form.getInputProps("value")}
        />
      )}
      {!setting && (
        <TextInput
          label="Description (optional)"
          autoComplete="off"
          maxLength={500}
          {...form.getInputProps("description")}
        />
      )}
      {isBank && (
        <>
          <Notice tone="caution" title="Backers transfer to this account.">
            <p>A change takes your password, and every owner gets an email.</p>
          </Notice>
          <CurrentPassword hasPassword={hasPassword} {...form.getInputProps("currentPassword")} />
        </>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {setting ? "Save" : "Add Setting"}
        </Button>
      </div>
    </form>
  );
}
