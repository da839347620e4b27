import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useEffect, useId, useRef, useState } from "react";
import { formatBytes } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { uploadFile } from "#client/lib/upload.ts";
import { useVisitorForm } from "#client/lib/use-visitor-form.ts";
import { HumanCheck } from "#client/shared-parts/human-check.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ErrorSummary } from "#client/ui/forms/error-summary.tsx";
import { FileDrop, UploadProgress } from "#client/ui/forms/file-drop.tsx";
import formClasses from "#client/ui/forms/form-card.module.css";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { applicationForm } from "#shared/careers/inputs.ts";
import type { Position } from "#shared/careers/positions.ts";
import { applicationPath, careerTexts } from "#shared/careers/texts.ts";
import { fileRules, uploadTexts } from "#shared/files.ts";
import classes from "./careers.module.css";

const fields = [
  "position",
  "fullName",
  "email",
  "phone",
  "coverLetter",
  "file",
  "botCheck",
  "humanVerification",
] as const;

type ApplicationFormProps = {
  position: Position;
  resume: File | null;
  onResume: (file: File | null) => void;
  takesFocus: boolean;
  onOtherPosition: () => void;
};

/** An application for one position, with a resume or without. */
export default function ApplicationForm(props: ApplicationFormProps) {
  const { position, resume, onResume, takesFocus, onOtherPosition } = props;
  const application = useApplicationForm({ position: position.title, resume, onResume });
  const { form, problem, isSending } = application;
  const titleId = useId();
  const box = useRef<HTMLFormElement>(null);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) card.current?.focus();
  }, [takesFocus]);
  const faults = fields.flatMap((field) => {
    const text = form.errors[field];
    return typeof text === "string" ? [{ field, text }] : [];
  });
  const goTo = (field: string) => {
    if (field === "file") box.current?.querySelector<HTMLInputElement>("input[type=file]")?.focus();
    else form.getInputNode(field)?.focus();
  };
  return (
    <div className={classes.layout}>
      <section ref={card} className={formClasses.card} aria-labelledby={titleId} tabIndex={-1}>
        <h2 className={classes.formTitle} id={titleId}>
          Apply for {position.title}
        </h2>
        {application.sentPosition && <Sent key={application.sentPosition} position={application.sentPosition} />}
        <form ref={box} className={formClasses.form} onSubmit={application.submit} noValidate>
          {application.failures > 0 && (
            <ErrorSummary
              key={application.failures}
              problem={problem === null ? null : { title: problem, text: "Everything you wrote is still here." }}
              faults={faults}
              onPick={goTo}
            />
          )}
          <div className={classes.position}>
            <TextInput label="Position" name="position" readOnly {...form.getInputProps("position")} />
            <Button variant="default" onClick={onOtherPosition}>
              Choose another position
            </Button>
          </div>
          <TextInput label="Full Name" name="name" autoComplete="name" {...form.getInputProps("fullName")} />
          <div className={formClasses.pair}>
            <TextInput label="Email" type="email" name="email" autoComplete="email" {...form.getInputProps("email")} />
            <TextInput
              label="Phone"
              type="tel"
              name="phone"
              autoComplete="tel"
              placeholder="+234 803 000 0000"
              {...form.getInputProps("phone")}
            />
          </div>
          <Textarea
            label="Cover Letter (optional)"
            name="coverLetter"
            rows={7}
            resize="vertical"
            {...form.getInputProps("coverLetter")}
          />
          <FileDrop
            label="Resume (optional)"
            hint="PDF or Word document (doc, docx), up to 5 MB"
            accept={fileRules.resume.accept}
            file={form.values.file}
            onChange={application.chooseResume}
            formatSize={formatBytes}
            error={typeof form.errors.file === "string" ? form.errors.file : undefined}
            disabled={isSending}
          />
          <HumanCheck
            label={careerTexts.iAmHuman}
            check={application.check}
            box={form.getInputProps("botCheck", { type: "checkbox" })}
            answer={form.getInputProps("humanVerification")}
            onTick={application.tick}
          />
          {isSending && form.values.file ? (
            <UploadProgress of="your application" share={application.share} onCancel={application.cancel} />
          ) : (
            <Button className={formClasses.send} type="submit" size="lg" loading={isSending}>
              Submit Application
            </Button>
          )}
        </form>
        <LeaveGuard isActive={isSending} title="Leave while your application is being sent?">
          Your application hasn't reached us yet. If you leave now, you will have to send it again.
        </LeaveGuard>
      </section>
      <About position={position} />
    </div>
  );
}

function About({ position }: { position: Position }) {
  return (
    <aside className={classes.about} aria-label="About this job">
      <dl className={classes.facts}>
        <dt>Place</dt>
        <dd>{position.location}</dd>
        <dt>Pay</dt>
        <dd>
          <span className="money">{position.salary}</span> monthly
        </dd>
      </dl>
      <h3>What happens next</h3>
      <ol className={classes.steps}>
        <li>A person reads your application.</li>
        <li>If we have questions, we write to you or call.</li>
        <li>You see the farm before you decide.</li>
      </ol>
      <p>We never ask applicants for money.</p>
    </aside>
  );
}

function Sent({ position }: { position: string }) {
  const box = useRef<HTMLDivElement>(null);
  // The form below is empty again: the keyboard goes to what became of it.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className={classes.sent} tabIndex={-1}>
      <Notice tone="positive" title={`We have your application for ${position}`}>
        <p>We write to your email address or call you. You need not send it again.</p>
      </Notice>
    </div>
  );
}

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
function useApplicationForm({ position, resume, onResume }: ApplicationOptions) {
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
    /** The sent share of the bytes, 0 to 1. At 1 the server has all and looks at it. */
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

/**
 * Returns the fault of a chosen resume, as far as the browser can tell, or null. It only saves a wait: the server looks
 * into the file. Not every system knows the types of Word documents, so a name will do.
 */
function checkResume({ name, type, size }: Pick<File, "name" | "type" | "size">): string | null {
  const { types, maxBytes, texts } = fileRules.resume;
  if (!types.includes(type) && !(type === "" && /\.(pdf|docx?)$/i.test(name))) return texts.type;
  if (size === 0) return uploadTexts.empty;
  return size > maxBytes ? texts.size : null;
}
