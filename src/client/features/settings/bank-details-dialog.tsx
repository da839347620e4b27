import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { bankDetailKeys, settingTexts as texts } from "#shared/settings/texts.ts";
import { AskForBankDetails } from "./ask-for-bank-details.tsx";
import classes from "./settings.module.css";
import { useSaveSettings } from "./use-settings.ts";

export type BankValues = Record<(typeof bankDetailKeys)[keyof typeof bankDetailKeys], string>;

export type BankQuestion = {
  values: BankValues;
  /** The values that the changes are told against; another owner's change meanwhile is not written over. */
  seen: BankValues;
  /** Each part that changes, as it was and as it will be. */
  changes: { label: string; before: string; after: string }[];
};

const detailsOf = (values: BankValues) => ({
  bankName: values[bankDetailKeys.bankName],
  accountName: values[bankDetailKeys.accountName],
  accountNumber: values[bankDetailKeys.accountNumber],
});

/** Shows what changes. The first bank details are saved; for others another owner is asked. */
export default function BankDetailsDialog({ asked, onClose }: { asked: BankQuestion | null; onClose: () => void }) {
  const save = useSaveSettings();
  const close = save.isPending ? () => undefined : onClose;
  const isFirst = asked !== null && Object.values(asked.seen).some((value) => value === "");
  return (
    <Modal
      opened={asked !== null}
      onClose={close}
      title={isFirst ? "Set the bank details?" : "Change the bank details?"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {asked && isFirst && <FirstDetails asked={asked} save={save} onClose={close} />}
      {asked && !isFirst && (
        <AskForBankDetails details={{ ...detailsOf(asked.values), seen: detailsOf(asked.seen) }} onClose={onClose}>
          <Changes asked={asked} />
        </AskForBankDetails>
      )}
    </Modal>
  );
}

function Changes({ asked: { changes } }: { asked: BankQuestion }) {
  return (
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
  );
}

type FirstDetailsProps = { asked: BankQuestion; save: ReturnType<typeof useSaveSettings>; onClose: () => void };

function FirstDetails({ asked, save, onClose }: FirstDetailsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const { values, seen } = asked;
  return (
    <div className={classes.form}>
      <Changes asked={asked} />
      <Notice tone="caution" title="From now on, backers transfer to this account.">
        <p>Every owner gets an email about it. A later change takes a second person.</p>
      </Notice>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={save.isPending}>
          Cancel
        </Button>
        <Button
          loading={save.isPending}
          data-autofocus
          onClick={() =>
            save.mutate(
              { values, seen },
              {
                onSuccess: () => {
                  toast.success(texts.updated, texts.bankUpdated);
                  onClose();
                },
                onError: (error) => setProblem(errorText(error)),
              },
            )
          }
        >
          Set bank details
        </Button>
      </div>
    </div>
  );
}
