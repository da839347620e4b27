import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errorDetail, errorText, fieldErrors } from "./errors.ts";
import { contentKey, type DraftKey, keepDraft, readDraft } from "./tab-store.ts";
import { trpc } from "./trpc.ts";
import { isCancelled } from "./upload.ts";

type CheckedValues = { botCheck: boolean; humanVerification: string };

type VisitorFormOptions<Values extends CheckedValues> = {
  draftKey: DraftKey;
  /** The text fields that outlive a reload. */
  draftFields: readonly (keyof Values & string)[];
  blank: Values;
  /** The values before the first letter, besides the draft. */
  initial?: Partial<Values>;
  validate: (values: Values) => FormErrors;
  onValuesChange?: (values: Values) => void;
  send: (values: Values, sending: { challenge: string; idempotencyKey: string }) => Promise<unknown>;
  onSent: (values: Values) => void;
  /** No field was to blame. */
  onFailed: (error: unknown) => void;
};

/**
 * A form for anybody, behind the human check. What was typed survives a refusal, a lost connection and a reload; sent
 * again unchanged it has the same key, so that it counts once.
 */
export function useVisitorForm<Values extends CheckedValues>(options: VisitorFormOptions<Values>) {
  const { blank, draftKey, draftFields } = options;
  const [initialValues] = useState(() => ({ ...readDraft(draftKey, blank), ...options.initial }));
  const check = useHumanCheck();
  const [problem, setProblem] = useState<string | null>(null);
  // Counts failed attempts: each brings the keyboard to the summary of what is wrong.
  const [failures, setFailures] = useState(0);

  const form = useForm<Values>({
    initialValues,
    validate: options.validate,
    onValuesChange: (values) => {
      keepDraft(draftKey, values, draftFields);
      options.onValuesChange?.(values);
    },
  });
  // The generic form doesn't know that it has these fields.
  const checkFields = form as unknown as Pick<UseFormReturnType<CheckedValues>, "setFieldValue">;

  const sending = useMutation({
    mutationFn: (values: Values) => {
      const { botCheck: _, humanVerification: __, ...content } = values;
      return options.send(values, {
        challenge: check.question?.challenge ?? "",
        idempotencyKey: contentKey(draftKey, content),
      });
    },
    onSuccess: (_, values) => {
      form.setValues(blank);
      form.clearErrors();
      // With its key; and not only by the change above: the page may have been left meanwhile.
      keepDraft(draftKey, blank, draftFields);
      check.forget();
      options.onSent(values);
    },
    onError: (error) => {
      if (isCancelled(error)) return;
      if (errorDetail(error, "humanCheck") === "expired") {
        checkFields.setFieldValue("humanVerification", "");
        check.ask();
      }
      const faults = fieldErrors(error);
      form.setErrors(faults);
      if (Object.keys(faults).length === 0) {
        setProblem(errorText(error));
        options.onFailed(error);
      }
      setFailures((count) => count + 1);
    },
  });

  return {
    form,
    check,
    failures,
    /** The fault that belongs to no field. */
    problem,
    isSending: sending.isPending,
    submit: form.onSubmit(
      (values) => {
        if (sending.isPending) return;
        setProblem(null);
        sending.mutate(values);
      },
      () => {
        setProblem(null);
        setFailures((count) => count + 1);
      },
    ),
    /** Each ticking asks anew; an answer belongs to its question. */
    tick: (isTicked: boolean) => {
      checkFields.setFieldValue("botCheck", isTicked);
      checkFields.setFieldValue("humanVerification", "");
      if (isTicked) check.ask();
      else check.forget();
    },
  };
}

/** The question of the human check: none until it is asked for, another one each time. */
function useHumanCheck() {
  const utils = trpc.useUtils();
  const asking = useMutation({ mutationFn: () => utils.client.auth.humanCheck.query() });
  return {
    question: asking.data ?? null,
    isAsking: asking.isPending,
    hasFailed: asking.isError,
    ask: () => asking.mutate(),
    forget: () => asking.reset(),
  };
}

export type HumanCheckState = ReturnType<typeof useHumanCheck>;
