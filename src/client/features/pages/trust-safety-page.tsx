import { IconBook2, IconEyeCheck, IconScale } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSite } from "#client/lib/site.ts";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import classes from "./pages.module.css";
import { Art, Part } from "./prose.tsx";

/** Five cards and three points (specification, section 2). */
const cards: { title: string; art: string; text: string; action?: ReactNode }[] = [
  {
    title: "Transparency",
    art: "trust-transparency",
    text: "Each project says where the farm is, what the money buys, what happens at harvest and what can go wrong. Weekly reports then say how it is going, with the losses too.",
  },
  {
    title: "Sustainability",
    art: "trust-sustainability",
    text: "A farm that ruins its soil or water has no next harvest. We look for farms that feed the soil, save water and treat animals well, and a project's page says how.",
  },
  {
    title: "Safety & Security",
    art: "trust-security",
    text: "Your receipts are private files, your password is kept only as a hash, sign-in locks after repeated failures, and each sign-in from a new device is mailed to you.",
  },
  {
    title: "24/7 Investment Feed",
    art: "trust-feed",
    text: "Written reports, a gallery of photos and videos and, where the network allows, a live stream from your farm: open at any hour, on your phone, for as long as your project runs.",
  },
  {
    title: "Book a Visit",
    art: "trust-visit",
    text: "Seeing is better than reading. Tell us which farm you would like to see and when, and we arrange the day with the people there.",
    action: (
      <Link to="/contact" hash="visit" className={classes.visit}>
        Book a Visit
      </Link>
    ),
  },
];

const points = [
  {
    Icon: IconBook2,
    title: "Books that nobody can rewrite",
    text: "Every approved payment is entered twice, debit and credit, in a ledger that can only be added to. It is checked by program, on a schedule, down to the kobo.",
  },
  {
    Icon: IconEyeCheck,
    title: "Checked against the bank",
    text: "Receipts are compared with our bank's statement. Payments that the statement shows whole may be confirmed together, in one press; what it doesn't show is looked at one by one. Who decided what, and when, is kept in a log that can't be changed.",
  },
  {
    Icon: IconScale,
    title: "Plain words about risk",
    text: "We guarantee no return, because no farm can. You read what can go wrong before you pay, and if somebody else was faster, a refund of the full amount is due to you.",
  },
];

export function TrustSafetyPage() {
  const site = useSite();
  return (
    <>
      <PageHead
        title="Trust & Safety"
        text="How we look after your money, your data and the farms, and how you can check it."
      />
      <ul className={classes.cards}>
        {cards.map(({ title, art, text, action }, index) => (
          <li key={title} className={classes.card}>
            <Art name={art} isEager={index < 3} />
            <h2 className={classes.title}>{title}</h2>
            <p>{text}</p>
            {action && <div className={classes.action}>{action}</div>}
          </li>
        ))}
      </ul>
      <Part title={`Why Trust ${site.name}`}>
        <ul className={classes.points}>
          {points.map(({ Icon, title, text }) => (
            <li key={title}>
              <Icon size={32} stroke={1.5} aria-hidden="true" />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Part>
      {site.regulatorNote && (
        <Part title="Who watches over us">
          <p>{site.regulatorNote}</p>
        </Part>
      )}
      <Part title="Stay safe yourself">
        <ul className={classes.plain}>
          <li>
            Pay only to the account that the payment page of this site shows. We never send bank details by email, chat
            or phone.
          </li>
          <li>Nobody from {site.name} asks for your password or a code.</li>
          <li>Don't let anybody hurry you. A farm that is gone is followed by another.</li>
        </ul>
        <div className={classes.actions}>
          <Link to="/terms">Terms of service</Link>
          <Link to="/privacy">Privacy policy</Link>
          <Link to="/contact">Report a concern</Link>
        </div>
      </Part>
    </>
  );
}
