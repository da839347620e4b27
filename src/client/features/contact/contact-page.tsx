import { Anchor, Button } from "@mantine/core";
import { IconCalendarHeart, IconMail, IconReceipt } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { EmptyState } from "#client/ui/feedback/empty-state.tsx";
import formClasses from "#client/ui/forms/form-card.module.css";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { brand } from "#shared/brand.ts";
import { ContactForm } from "./contact-form.tsx";
import classes from "./contact-page.module.css";
import { useContactForm } from "./use-contact-form.ts";

/** The form, how else to reach us, and how to visit a farm. */
export function ContactPage() {
  const contact = useContactForm();
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
              Write to <Anchor href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</Anchor> if you would rather
              use your own mail program.
            </p>
          </Fact>
          <Fact icon={<IconReceipt size={24} stroke={1.75} />} title="About a payment">
            <p>
              Name your payment reference, which begins with GONA, so that we find it at once. Never send us your
              password or card details.
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
