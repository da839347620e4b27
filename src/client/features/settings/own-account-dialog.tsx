import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { OwnProof, ProofForm, type ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { accountTexts } from "#shared/account-texts.ts";
import { ownAccountTexts as texts } from "#shared/own-accounts-texts.ts";
import { readSettingValue } from "#shared/settings.ts";
import { bankDetailKeys } from "#shared/settings-texts.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import classes from "./settings.module.css";

type OwnAccount = RouterOutputs["bank"]["accounts"][number];
/** What is asked about an account; one that isn't there yet is added. */
export type AccountQuestion = { act: "add" } | { act: "change" | "activate"; account: OwnAccount };

const titleOf: Record<AccountQuestion["act"], string> = {
  add: "Add an account",
  change: "Change this account",
  activate: "Make this account active?",
};

/** Adds or changes an own account, or makes it the one that backers transfer to; each takes the owner's password. */
export default function OwnAccountDialog({ asked, onClose }: { asked: AccountQuestion | null; onClose: () => void }) {
  const utils = trpc.useUtils();
  const { data: proof = { hasPassword: true, isCodeAsked: false } } = trpc.users.account.useQuery();
  const activate = trpc.bank.activateAccount.useMutation();
  const done = async (text: string) => {
    toast.success(text);
    onClose();
    await Promise.all([utils.bank.invalidate(), utils.settings.list.invalidate()]);
  };
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={asked && titleOf[asked.act]}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {asked?.act === "activate" && (
        <ProofForm
          account={proof}
          submitLabel="Make active"
          onCancel={onClose}
          onSubmit={async (given) => {
            const { id, updatedAt } = asked.account;
            await activate.mutateAsync({ accountId: id, seenUpdatedAt: updatedAt, ...given });
            await done(texts.activated);
          }}
        >
          <Notice tone="caution" title="From now on, backers transfer to this account.">
            <p>
              {asked.account.bankName} {asked.account.accountNumber}, {asked.account.accountName}. Every owner gets an
              email about the change.
            </p>
          </Notice>
        </ProofForm>
      )}
      {asked && asked.act !== "activate" && (
        <AccountForm
          account={asked.act === "change" ? asked.account : null}
          proof={proof}
          onDone={done}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}

type AccountFormProps = {
  /** Null adds one. */
  account: OwnAccount | null;
  proof: ProofWanted;
  onDone: (text: string) => Promise<void>;
  onCancel: () => void;
};

function AccountForm({ account, proof, onDone, onCancel }: AccountFormProps) {
  const add = trpc.bank.addAccount.useMutation();
  const change = trpc.bank.changeAccount.useMutation();
  const isPending = add.isPending || change.isPending;
  const isOpened = account?.openedOn != null;
  const faultOf = (key: (typeof bankDetailKeys)[keyof typeof bankDetailKeys]) => (text: string) => {
    const read = readSettingValue(key, text);
    return "fault" in read ? read.fault : null;
  };
  const form = useForm({
    initialValues: {
      bankName: account?.bankName ?? "",
      accountName: account?.accountName ?? "",
      accountNumber: account?.accountNumber ?? "",
      bankCode: account?.bankCode ?? "",
      currentPassword: "",
      code: "",
    },
    validate: {
      bankName: faultOf(bankDetailKeys.bankName),
      accountName: faultOf(bankDetailKeys.accountName),
      accountNumber: faultOf(bankDetailKeys.accountNumber),
      bankCode: (text) => (/^(?:\d{3}|\d{6})?$/.test(text.trim()) ? null : texts.bankCodeInvalid),
      currentPassword: (text) => (proof.hasPassword && text === "" ? accountTexts.passwordMissing : null),
      code: (text) => (proof.isCodeAsked && text.trim() === "" ? twoFactorTexts.codeMissing : null),
    },
  });
  const { problem, refuse } = useRefusal(form, proof.hasPassword);
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(
        async ({ currentPassword, code, ...details }) => {
          const given = {
            ...details,
            ...(proof.hasPassword && { currentPassword }),
            ...(proof.isCodeAsked && { code }),
          };
          try {
            if (account) {
              await change.mutateAsync({ accountId: account.id, seenUpdatedAt: account.updatedAt, ...given });
            } else await add.mutateAsync(given);
            await onDone(account ? texts.changed : texts.added);
          } catch (error) {
            focusField(refuse(error));
          }
        },
        (errors) => focusField(Object.keys(errors)[0]),
      )}
    >
      {isOpened && <p className={classes.dimmed}>{texts.opened}</p>}
      <TextInput
        label="Bank"
        name="bankName"
        autoComplete="off"
        disabled={isOpened}
        data-autofocus={!isOpened || undefined}
        {...form.getInputProps("bankName")}
      />
      <TextInput
        label="Account name"
        name="accountName"
        autoComplete="off"
        data-autofocus={isOpened || undefined}
        {...form.getInputProps("accountName")}
      />
      <TextInput
        label="Account number"
        name="accountNumber"
        description="10 digits"
        inputMode="numeric"
        autoComplete="off"
        disabled={isOpened}
        {...form.getInputProps("accountNumber")}
      />
      <TextInput
        label="Bank code (optional)"
        name="bankCode"
        description="3 or 6 digits, at the central bank"
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps("bankCode")}
      />
      {account?.isActive && (
        <Notice tone="caution" title="Backers transfer to this account.">
          <p>They read the change from now on, and every owner gets an email about it.</p>
        </Notice>
      )}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <OwnProof account={proof} form={form} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {account ? "Change account" : "Add account"}
        </Button>
      </div>
    </form>
  );
}
