import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { createContext, type ReactNode, type RefObject, useContext, useRef, useState } from "react";
import { isCancelled } from "#client/lib/upload.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./manage-harvests.module.css";

/** Takes the keyboard where the button that opened a dialog is gone with what was done. */
export const FocusHome = createContext<() => void>(() => undefined);
const Busy = createContext<(isBusy: boolean) => void>(() => undefined);

type FormDialogProps = { opened: boolean; title: string; onClose: () => void; children: ReactNode };

/** A form over the page. A press beside it doesn't close it, and nothing does while it is sent: what was typed stays. */
export function FormDialog({ opened, title, onClose, children }: FormDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const focusHome = useContext(FocusHome);
  return (
    <Modal
      opened={opened}
      onClose={isBusy ? () => undefined : onClose}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
      onExitTransitionEnd={() => {
        if (document.activeElement === document.body) focusHome();
      }}
    >
      <Busy value={setIsBusy}>{children}</Busy>
    </Modal>
  );
}

type DialogForm<Values> = {
  initialValues: Values;
  /** Returns the faults of the typed values, by field. */
  check: (values: Values) => FormErrors;
  /** Resolves when it is done; a refusal is shown in the form. */
  send: (values: Values) => Promise<unknown>;
};

export type SentForm<Values extends Record<string, string>> = {
  form: UseFormReturnType<Values>;
  element: RefObject<HTMLFormElement | null>;
  problem: string | null;
  isPending: boolean;
  submit: (event?: React.FormEvent<HTMLFormElement>) => void;
};

/** A form in a dialog: faults and refusals stand at their fields, and the keyboard goes to the first of them. */
export function useDialogForm<Values extends Record<string, string>>(input: DialogForm<Values>): SentForm<Values> {
  const { initialValues, check, send } = input;
  const [isPending, setIsPending] = useState(false);
  const setIsBusy = useContext(Busy);
  const form = useForm<Values>({ initialValues, validate: check });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLElement>(`[data-path="${name}"], [data-field="${name}"] input`)?.focus();
  const setPending = (isOn: boolean) => {
    setIsPending(isOn);
    setIsBusy(isOn);
  };
  const submit = form.onSubmit(
    async (values) => {
      if (isPending) return;
      setPending(true);
      forgetProblem();
      await send(values).catch((error: unknown) => {
        if (!isCancelled(error)) focusField(refuse(error));
      });
      setPending(false);
    },
    (errors) => focusField(Object.keys(errors)[0]),
  );
  return { form, element, problem, isPending, submit };
}

type DialogFieldsProps<Values extends Record<string, string>> = {
  sent: SentForm<Values>;
  submitLabel: string;
  /** While a file is on its way, its progress takes the buttons' place. */
  isSendingFile?: boolean;
  onCancel: () => void;
  children: ReactNode;
};

/** The body of a dialog's form: fields, what was refused, and its buttons. */
export function DialogFields<Values extends Record<string, string>>(props: DialogFieldsProps<Values>) {
  const { sent, submitLabel, isSendingFile = false, onCancel, children } = props;
  return (
    <form ref={sent.element} className={classes.form} noValidate onSubmit={sent.submit}>
      {children}
      {sent.problem && <Notice tone="negative" isAlert title={sent.problem} />}
      {!isSendingFile && (
        <ButtonRow>
          <Button type="submit" loading={sent.isPending}>
            {submitLabel}
          </Button>
          <Button variant="default" disabled={sent.isPending} onClick={onCancel}>
            Cancel
          </Button>
        </ButtonRow>
      )}
    </form>
  );
}

type ReasonDialogProps = {
  opened: boolean;
  title: string;
  /** Who reads it. */
  description: string;
  submitLabel: string;
  onSubmit: (reason: string) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
};

/** Asks for the words that go with an act. */
export function ReasonDialog({ opened, title, onClose, ...form }: ReasonDialogProps) {
  return (
    <FormDialog opened={opened} title={title} onClose={onClose}>
      <GuardedReason {...form} onClose={onClose} />
    </FormDialog>
  );
}

function GuardedReason(props: Omit<ReasonDialogProps, "opened" | "title">) {
  const { description, submitLabel, onSubmit, onClose, children } = props;
  const setIsBusy = useContext(Busy);
  return (
    <ReasonForm
      description={`${description} At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel={submitLabel}
      isDangerous
      onSubmit={async (reason) => {
        setIsBusy(true);
        try {
          await onSubmit(reason);
        } finally {
          setIsBusy(false);
        }
      }}
      onCancel={onClose}
    >
      {children}
    </ReasonForm>
  );
}
