import { schemaResolver } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { uploadFile } from "#client/lib/upload.ts";
import { useVisitorForm } from "#client/lib/use-visitor-form.ts";
import { applicationPath, careerTexts } from "#shared/career-texts.ts";
import { applicationForm } from "#shared/careers.ts";
import { checkResume } from "./check-resume.ts";

const blank = {
  fullName: "",
  email: "",
  phone: "",
  coverLetter: "",
  file: null as File | null,
  botCheck: false,
  humanVerification: "",
};

const resolve = schemaResolver(applicationForm, { sync: true });

type ApplicationOptions = {
  /** The title of the chosen position. */
  position: string;
  /** Kept by the page, where it outlives a look at the openings. */
  resume: File | null;
  onResume: (file: File | null) => void;
};

/** An application from the first letter to the server's answer. */
export function useApplicationForm({ position, resume, onResume }: ApplicationOptions) {
  const [share, setShare] = useState(0);
  const [sentPosition, setSentPosition] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const visitor = useVisitorForm({
    draftKey: "application-draft",
    draftFields: ["fullName", "email", "phone", "coverLetter"],
    blank: { ...blank, position },
    initial: { file: resume },
    validate: (values) => {
      const fault = values.file && checkResume(values.file);
      return { ...resolve(values), ...(fault ? { file: fault } : {}) };
    },
    onValuesChange: ({ file }) => onResume(file),
    send: async ({ file, ...values }, sending) => {
      const controller = new AbortController();
      running.current = controller;
      setShare(0);
      const { botCheck, ...texts } = applicationForm.parse(values);
      const fields = { ...texts, botCheck: String(botCheck), ...sending };
      await uploadFile(applicationPath, file, fields, { signal: controller.signal, onProgress: setShare });
    },
    onSent: (values) => {
      toast.success(careerTexts.submittedTitle, careerTexts.submitted);
      setSentPosition(values.position);
    },
    onFailed: () => toast.error(careerTexts.failedTitle, careerTexts.failed),
  });
  const { form } = visitor;

  return {
    ...visitor,
    /** Of the bytes, 0 to 1. At 1 the server has all and looks at it. */
    share,
    /** The position of the application that was just sent. */
    sentPosition,
    chooseResume: (file: File | null) => {
      form.setFieldValue("file", file);
      const fault = file && checkResume(file);
      if (fault) form.setFieldError("file", fault);
    },
    cancel: () => running.current?.abort(),
  };
}
