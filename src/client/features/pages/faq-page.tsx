import { IconChevronDown } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import type { Question } from "./faq-backing-questions.tsx";
import { faqGroups } from "./faq-questions.tsx";
import classes from "./pages.module.css";
import { Part, Prose } from "./prose.tsx";

/**
 * The browser's own accordions: the keyboard works, and searching in the page opens what it finds. An address with the
 * id of a question opens it, also when the link stands on this page.
 */
export function FaqPage() {
  const page = useRef<HTMLDivElement>(null);
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (!hash) return;
    const target = page.current?.querySelector(`#${CSS.escape(hash)}`);
    if (!(target instanceof HTMLDetailsElement)) return;
    target.open = true;
    target.scrollIntoView();
  }, [hash]);
  return (
    <div ref={page}>
      <PageHead title="Frequently asked questions" text="Backing a farm, following it, and your account." />
      <nav aria-label="Topics" className={classes.topics}>
        {faqGroups.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {faqGroups.map(({ id, title, questions }) => (
        <section key={id} id={id} className={classes.group} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`} className={classes.groupTitle}>
            {title}
          </h2>
          {questions.map((question) => (
            <Item key={question.id} {...question} />
          ))}
        </section>
      ))}
      <Part title="Your question isn't here?">
        <Prose>
          <p>
            Write to <SupportLink />, or send us a message.
          </p>
        </Prose>
        <LinkButton to="/contact" mt="md">
          Contact us
        </LinkButton>
      </Part>
    </div>
  );
}

function Item({ id, question, answer }: Question) {
  return (
    <details id={id} className={classes.item}>
      <summary className={classes.question}>
        <h3>{question}</h3>
        <IconChevronDown size={20} stroke={2} aria-hidden="true" />
      </summary>
      <div className={classes.answer}>
        <Prose>{answer}</Prose>
      </div>
    </details>
  );
}
