import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Loader, Modal, NativeSelect } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Account } from "#client/features/bank/bank-search.ts";
import { errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FileDrop, UploadProgress } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { statementFileEndings, statementFilesInWords } from "#shared/bank/import-texts.ts";
import { sampleStatementPath } from "#shared/bank/statement-import-texts.ts";
import { statementLimits } from "#shared/bank/statement-texts.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import classes from "./import.module.css";
import { ImportRefusal, ImportResult } from "./import-outcome.tsx";
import { ImportQuestions } from "./import-questions.tsx";
import { MappingForm } from "./mapping-form.tsx";
import { type Import, useImport } from "./use-import.ts";

type ImportDialogProps = {
  opened: boolean;
  accounts: readonly Account[];
  /** The one that is looked at. */
  account: Account;
  isLocalUse: boolean;
  /** The next step for what is sure now, if there is one. */
  next: ReactNode;
  onClose: () => void;
};

/** Imports a statement: the file, what the server asks about it, and what came of it. */
export default function ImportDialog({ opened, ...props }: ImportDialogProps) {
  const [isSending, setIsSending] = useState(false);
  return (
    <Modal
      opened={opened}
      // A file on its way isn't dropped by a press beside the dialog.
      onClose={isSending ? () => undefined : props.onClose}
      title="Import a statement"
      size="52rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {opened && <Steps {...props} onSending={setIsSending} />}
    </Modal>
  );
}

type StepsProps = Omit<ImportDialogProps, "opened"> & { onSending: (isSending: boolean) => void };

function Steps({ accounts, account, isLocalUse, next, onClose, onSending }: StepsProps) {
  const [accountId, setAccountId] = useState(account.id);
  const chosen = accounts.find(({ id }) => id === accountId) ?? account;
  const sending = useImport(accountId);
  const { answer, isSending, share } = sending;
  const [isMapping, setIsMapping] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  useEffect(() => onSending(isSending), [isSending, onSending]);
  // The keyboard goes on with what the server has answered.
  useEffect(() => {
    if (answer) step.current?.focus({ preventScroll: true });
    setIsMapping(false);
  }, [answer]);
  return (
    <div ref={step} className={classes.import} tabIndex={-1}>
      {isSending ? (
        share < 1 ? (
          <UploadProgress of="the statement" share={share} onCancel={sending.cancel} />
        ) : (
          <p className={classes.reading} role="status">
            <Loader size="sm" /> Reading…
          </p>
        )
      ) : answer?.kind === "imported" ? (
        <ImportResult answer={answer} next={next} onClose={onClose} />
      ) : answer?.kind === "asks" ? (
        <ImportQuestions key={JSON.stringify(answer.mapping)} answer={answer} sending={sending} />
      ) : (
        <>
          {answer?.kind === "refused" && <ImportRefusal answer={answer} onMap={() => setIsMapping(true)} />}
          {answer?.kind === "refused" && answer.table && isMapping ? (
            <MappingForm
              table={answer.table}
              submitLabel="Read it so"
              onSubmit={(mapping) => sending.send({ mapping })}
              onCancel={() => setIsMapping(false)}
            />
          ) : (
            <Choose
              accounts={accounts}
              account={chosen}
              sending={sending}
              isLocalUse={isLocalUse}
              onAccount={(id) => {
                setAccountId(id);
                sending.choose(sending.file);
              }}
            />
          )}
        </>
      )}
      <LeaveGuard isActive={isSending} title="Leave while the statement is sent?">
        Nothing is imported before the whole file has reached us.
      </LeaveGuard>
    </div>
  );
}

type ChooseProps = {
  accounts: readonly Account[];
  account: Account;
  sending: Import;
  isLocalUse: boolean;
  onAccount: (id: number) => void;
};

function Choose({ accounts, account, sending, isLocalUse, onAccount }: ChooseProps) {
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        sending.send();
      }}
    >
      {accounts.length > 1 ? (
        <NativeSelect
          label="Statement of"
          value={String(account.id)}
          data={accounts.map(({ id, bankName, accountNumber }) => ({
            value: String(id),
            label: `${bankName} ${accountNumber}`,
          }))}
          onChange={({ currentTarget }) => onAccount(Number(currentTarget.value))}
        />
      ) : (
        <p>
          Statement of{" "}
          <strong>
            {account.bankName} {account.accountNumber}
          </strong>
          {account.lastDay && `, after ${formatDay(account.lastDay)}. Days that overlap do no harm.`}
        </p>
      )}
      <FileDrop
        label="Statement"
        hint={`${statementFilesInWords}, up to ${statementLimits.megabytes} MB. A PDF can't be read.`}
        accept={statementFileEndings}
        file={sending.file}
        onChange={sending.choose}
        formatSize={formatBytes}
        error={sending.fault ?? undefined}
        required
      />
      {sending.failure && (
        <Notice tone="negative" title={sending.failure} isAlert>
          <p>Your file is still chosen here. Trying again does no harm: what is known already isn't imported twice.</p>
        </Notice>
      )}
      <ButtonRow>
        <Button type="submit">Import</Button>
        {isLocalUse && <SampleButton accountId={account.id} />}
      </ButtonRow>
    </form>
  );
}

/** For trying the product: a statement that fits the payments that wait. */
function SampleButton({ accountId }: { accountId: number }) {
  const [isPending, setIsPending] = useState(false);
  return (
    <Button
      variant="default"
      px="sm"
      loading={isPending}
      onClick={async () => {
        setIsPending(true);
        await saveFile(sampleStatementPath(accountId), "sample-statement.csv").catch((error: unknown) =>
          toast.error(bankTexts.sampleFailed, errorText(error)),
        );
        setIsPending(false);
      }}
    >
      Download a sample statement
    </Button>
  );
}
