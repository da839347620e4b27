import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { IconCalendarHeart, IconMail, IconMapPin, IconPhone, IconReceipt } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { errorText } from "#client/lib/errors.ts";
import { useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useVisitorForm } from "#client/lib/use-visitor-form.ts";
import { HumanCheck } from "#client/shared-parts/human-check.tsx";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { PhoneLinks } from "#client/shared-parts/ways-to-reach.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { ErrorSummary } from "#client/ui/forms/error-summary.tsx";
import formClasses from "#client/ui/forms/form-card.module.css";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { contactForm } from "#shared/contact/inputs.ts";
import { contactTexts } from "#shared/contact/texts.ts";
import { companyOf } from "#shared/site/site.ts";
import classes from "./contact.module.css";

/** The form, how else to reach us, and how to visit a farm. */
export function ContactPage() {
  const contact = useContactForm();
  const site = useSite();
  return (
    <>
      <PageHead title="Contact Us" text="A question, a worry, an idea: write to us, and a person reads it." />
      <div className={classes.layout}>
        <section className={formClasses.card} aria-label="Message form">
          {contact.sentFrom === null ? (
            <ContactForm contact={contact} />
          ) : (
            <Sent address={contact.sentFrom} onAnother={contact.writeAnother} />
          )}
        </section>
        <div className={classes.facts}>
          <Fact icon={<IconMail size={24} stroke={1.75} />} title="By email">
            <p>
              Write to <SupportLink /> if you would rather use your own mail program.
            </p>
          </Fact>
          {(site.phone || site.whatsapp) && (
            <Fact icon={<IconPhone size={24} stroke={1.75} />} title="By phone">
              <PhoneLinks />
            </Fact>
          )}
          {site.address && (
            <Fact icon={<IconMapPin size={24} stroke={1.75} />} title="By post">
              <p className={classes.address}>
                {companyOf(site)}
                {site.companyNumber && ` (${site.companyNumber})`}
                {`\n${site.address}`}
              </p>
            </Fact>
          )}
          <Fact icon={<IconReceipt size={24} stroke={1.75} />} title="About a payment">
            <p>
              Name your payment reference, which begins with {site.referencePrefix}, so that we find it at once. Never
              send us your password or card details.
            </p>
          </Fact>
          <Fact id="visit" icon={<IconCalendarHeart size={24} stroke={1.75} />} title="Book a Visit">
            <p>
              Farms are working places, so visits are by appointment. Tell us which farm you would like to see, the days
              that suit you, and how many people come. We ask the farm, and answer by email with a day and the way
              there.
            </p>
            <Button className={classes.ask} variant="default" onClick={contact.askForVisit}>
              Ask for a visit
            </Button>
          </Fact>
        </div>
      </div>
    </>
  );
}

type FactProps = { id?: string; icon: ReactNode; title: string; children: ReactNode };

function Fact({ id, icon, title, children }: FactProps) {
  return (
    <section className={classes.fact} id={id}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <div className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        {children}
      </div>
    </section>
  );
}

function Sent({ address, onAnother }: { address: string; onAnother: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: the keyboard goes to what has taken its place.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className={classes.sent} tabIndex={-1}>
      <EmptyState
        picture="/art/success.svg"
        title="We have your message"
        text={`Our answer goes to ${address}.`}
        action={
          <Button variant="default" onClick={onAnother}>
            Write another message
          </Button>
        }
      />
    </div>
  );
}

const fields = ["name", "email", "phone", "message", "botCheck", "humanVerification"] as const;

/** Name, email, phone, message and the human check. */
function ContactForm({ contact }: { contact: ContactFormState }) {
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

const blank = { name: "", email: "", phone: "", message: "", botCheck: false, humanVerification: "" };

const visitRequest = "I would like to visit a farm.\n\nFarm: \nDays that suit me: \nNumber of people: ";

/** Where the person writes on. */
const firstQuestion = "Farm: ";

/** The contact form from the first letter to the sent view. */
function useContactForm() {
  const utils = trpc.useUtils();
  // Asked for at once, so that its cookie is there before the form is sent.
  trpc.auth.formToken.useQuery(undefined, { staleTime: 0 });
  const [sentFrom, setSentFrom] = useState<string | null>(null);

  const visitor = useVisitorForm({
    draftKey: "contact-draft",
    draftFields: ["name", "email", "phone", "message"],
    blank,
    validate: schemaResolver(contactForm, { sync: true }),
    send: async (values, sending) => {
      const { token: formToken } = await utils.auth.formToken.fetch();
      await utils.client.contact.send.mutate({ ...contactForm.parse(values), ...sending, formToken });
    },
    onSent: ({ email }) => {
      toast.success(contactTexts.sentTitle, contactTexts.sent);
      setSentFrom(email.trim());
    },
    onFailed: (error) => {
      toast.error(contactTexts.failedTitle, errorText(error));
      // If it was the token, the next try has a new one, without a reload too.
      void utils.auth.formToken.invalidate();
    },
  });
  const { form } = visitor;

  return {
    ...visitor,
    /** The address that the answer goes to, once the message was sent. */
    sentFrom,
    writeAnother: () => setSentFrom(null),
    /** Writes a request for a visit into the message, under what stands there, and goes to it. */
    askForVisit: () => {
      const written = form.getValues().message.trimEnd();
      // The field must stand before it can be gone to.
      flushSync(() => {
        setSentFrom(null);
        if (!written.includes(visitRequest))
          form.setFieldValue("message", written ? `${written}\n\n${visitRequest}` : visitRequest);
      });
      const field = form.getInputNode("message");
      if (!(field instanceof HTMLTextAreaElement)) return;
      field.focus();
      const place = field.value.indexOf(firstQuestion) + firstQuestion.length;
      field.setSelectionRange(place, place);
    },
  };
}

type ContactFormState = ReturnType<typeof useContactForm>;
