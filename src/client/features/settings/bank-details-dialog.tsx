import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { OwnProof } from "#client/ui/forms/own-proof.tsx";
import { accountTexts } from "#shared/account-texts.ts";
import type { bankDetailKeys } from "#shared/settings-texts.ts";
import { settingTexts as texts } from "#shared/settings-texts.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./settings.module.css";
import { useSaveSettings } from "./use-settings.ts";

export type BankValues = Record<(typeof bankDetailKeys)[keyof typeof bankDetailKeys], string>;

export type BankQuestion = {
  values: BankValues;
  /** What the changes are told against; another owner's change meanwhile is not written over. */
  seen: BankValues;
  /** Each part that changes, as it was and as it will be. */
  changes: { label: string; before: string; after: string }[];
};

/** Shows what changes, and asks for the password. */
export default function BankDetailsDialog({ asked, onClose }: { asked: BankQuestion | null; onClose: () => void }) {
  const save = useSaveSettings();
  const close = save.isPending ? () => undefined : onClose;
  return (
    <Modal
      opened={asked !== null}
      onClose={close}
      title="Change the bank details?"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {asked && <Question asked={asked} save={save} onClose={close} />}
    </Modal>
  );
}

type QuestionProps = { asked: BankQuestion; save: ReturnType<typeof useSaveSettings>; onClose: () => void };

function Question({ asked: { values, seen, changes }, save, onClose }: QuestionProps) {
  const { data: account = { hasPassword: true, isCodeAsked: false } } = trpc.users.account.useQuery();
  const { hasPassword, isCodeAsked } = account;
  const form = useForm({
    initialValues: { currentPassword: "", code: "" },
    validate: {
      currentPassword: (text) => (hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
    },
  });
  const { problem, refuse } = useRefusal(form, hasPassword);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ currentPassword, code }) =>
        save.mutate(
          { values, seen, ...(hasPassword && { currentPassword }), ...(isCodeAsked && { code }) },
          {
            onSuccess: () => {
              toast.success(texts.updated, texts.bankUpdated);
              onClose();
            },
            onError: refuse,
          },
        ),
      )}
    >
      <dl className={classes.changes}>
        {changes.map(({ label, before, after }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {before && (
                <>
                  <del className={classes.before}>{before}</del> →{" "}
                </>
              )}
              {after}
            </dd>
          </div>
        ))}
      </dl>
      <Notice tone="caution" title="From now on, backers transfer to this account.">
        <p>Every owner gets an email about the change.</p>
      </Notice>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <OwnProof account={account} form={form} hasFocus />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={save.isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Change bank details
        </Button>
      </div>
    </form>
  );
}
