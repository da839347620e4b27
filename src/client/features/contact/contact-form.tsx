import { Button, Textarea, TextInput } from "@mantine/core";
import { ErrorSummary } from "#client/ui/forms/error-summary.tsx";
import formClasses from "#client/ui/forms/form-card.module.css";
import { HumanCheck } from "#client/ui/forms/human-check.tsx";
import { contactTexts } from "#shared/contact-texts.ts";
import classes from "./contact-form.module.css";
import type { ContactFormState } from "./use-contact-form.ts";

const fields = ["name", "email", "phone", "message", "botCheck", "humanVerification"] as const;

/** Name, email, phone, message and the human check. */
export function ContactForm({ contact }: { contact: ContactFormState }) {
  const { form, problem } = contact;
  const faults = fields.flatMap((field) => {
    const text = form.errors[field];
    return typeof text === "string" ? [{ field, text }] : [];
  });
  return (
    <form className={formClasses.form} onSubmit={contact.submit} noValidate>
      {contact.failures > 0 && (
        <ErrorSummary
          key={contact.failures}
          problem={problem === null ? null : { title: problem, text: "Everything you wrote is still here." }}
          faults={faults}
          onPick={(field) => form.getInputNode(field)?.focus()}
        />
      )}
      <p className={classes.hint}>All fields are needed. We answer by email.</p>
      <TextInput label="Name" name="name" autoComplete="name" {...form.getInputProps("name")} />
      <div className={formClasses.pair}>
        <TextInput label="Email" type="email" name="email" autoComplete="email" {...form.getInputProps("email")} />
        <TextInput label="Phone" type="tel" name="phone" autoComplete="tel" {...form.getInputProps("phone")} />
      </div>
      <Textarea label="Message" name="message" rows={8} resize="vertical" {...form.getInputProps("message")} />
      <HumanCheck
        label={contactTexts.notARobot}
        check={contact.check}
        box={form.getInputProps("botCheck", { type: "checkbox" })}
        answer={form.getInputProps("humanVerification")}
        onTick={contact.tick}
      />
      <Button className={formClasses.send} type="submit" size="lg" loading={contact.isSending}>
        Send Message
      </Button>
    </form>
  );
}
