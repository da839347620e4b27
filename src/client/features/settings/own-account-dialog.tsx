import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { addOwnAccountInput } from "#shared/bank/own-accounts.ts";
import { ownAccountTexts as texts } from "#shared/bank/own-accounts-texts.ts";
import { readSettingValue } from "#shared/settings/inputs.ts";
import { bankDetailKeys } from "#shared/settings/texts.ts";
import { AskForBankDetails } from "./ask-for-bank-details.tsx";
import classes from "./settings.module.css";

type OwnAccount = RouterOutputs["bank"]["accounts"][number];
/** The act that the dialog is for, and its account; one that is added has none yet. */
export type AccountQuestion = { act: "add" } | { act: "change" | "activate"; account: OwnAccount };

const titleOf: Record<AccountQuestion["act"], string> = {
  add: "Add an account",
  change: "Change this account",
  activate: "Make this account active?",
};

type OwnAccountDialogProps = {
  asked: AccountQuestion | null;
  /** The account that backers transfer to now; none before the first. */
  active: OwnAccount | undefined;
  onClose: () => void;
};

/** Adds or changes an own account. What backers read changes once another owner has confirmed it. */
export default function OwnAccountDialog({ asked, active, onClose }: OwnAccountDialogProps) {
  const utils = trpc.useUtils();
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
      {asked?.act === "activate" && active && (
        <AskForBankDetails details={{ ...detailsOf(asked.account), seen: detailsOf(active) }} onClose={onClose}>
          <p>
            {asked.account.bankName} {asked.account.accountNumber}, {asked.account.accountName}, takes the place of{" "}
            {active.bankName} {active.accountNumber}.
          </p>
        </AskForBankDetails>
      )}
      {asked && asked.act !== "activate" && (
        <AccountForm account={asked.act === "change" ? asked.account : null} onDone={done} onCancel={onClose} />
      )}
    </Modal>
  );
}

type Details = Pick<OwnAccount, "bankName" | "accountName" | "accountNumber">;
const detailsOf = ({ bankName, accountName, accountNumber }: Details): Details => ({
  bankName,
  accountName,
  accountNumber,
});

/** Returns true if backers would read another bank, account name or number. */
function changesPublicDetails(account: OwnAccount, given: Details & { bankCode: string }): boolean {
  const read = addOwnAccountInput.parse(given);
  return (["bankName", "accountName", "accountNumber"] as const).some((part) => read[part] !== account[part]);
}

type AccountFormProps = {
  /** Null adds one. */
  account: OwnAccount | null;
  onDone: (text: string) => Promise<void>;
  onCancel: () => void;
};

function AccountForm({ account, onDone, onCancel }: AccountFormProps) {
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
    },
    validate: {
      bankName: faultOf(bankDetailKeys.bankName),
      accountName: faultOf(bankDetailKeys.accountName),
      accountNumber: faultOf(bankDetailKeys.accountNumber),
      bankCode: (text) => (/^(?:\d{3}|\d{6})?$/.test(text.trim()) ? null : texts.bankCodeInvalid),
    },
  });
  const { problem, refuse } = useRefusal(form, false);
  const [askedFor, setAskedFor] = useState<typeof form.values | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
  if (account && askedFor) {
    const read = addOwnAccountInput.parse(askedFor);
    return (
      <AskForBankDetails details={{ ...read, seen: detailsOf(account) }} onClose={onCancel}>
        <p>
          From {account.bankName} {account.accountNumber}, {account.accountName}, to {read.bankName}{" "}
          {read.accountNumber}, {read.accountName}.
        </p>
      </AskForBankDetails>
    );
  }
  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(
        async (given) => {
          try {
            if (account?.isActive && changesPublicDetails(account, given)) return setAskedFor(given);
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
          <p>Another owner has to confirm what they are to read from then on.</p>
        </Notice>
      )}
      {problem && <Notice tone="negative" isAlert title={problem} />}
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
