import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { Figure, WhereHeld } from "./prose.tsx";

export type Question = {
  /** The target of a link: /faq#refund. */
  id: string;
  question: string;
  answer: ReactNode;
};

/** The questions about paying for lots, holding them and getting money back. */
export const backingQuestions: readonly Question[] = [
  {
    id: "what-is-backing",
    question: "What does it mean to back a farm?",
    answer: (
      <p>
        You pay for one or more lots of a project: pens, ponds or land that somebody runs for you. You follow the work
        week by week, and at harvest you take your share of the produce or have it sold. The{" "}
        <Link to="/how-it-works">four steps</Link> show the whole way.
      </p>
    ),
  },
  {
    id: "how-to-pay",
    question: "How do I pay?",
    answer: (
      <p>
        By bank transfer. Press "Back this project" on the project's page, sign in, choose your lots, read the harvest
        terms and hold the lots, and you see the amount, our bank account and your payment reference. Send the transfer
        with that reference, then upload the receipt on the same page: a photo (JPEG, PNG, WebP) or a PDF of at most 10
        MB. We take no cards and no cash.
      </p>
    ),
  },
  {
    id: "amount",
    question: "Can I pay a part of the goal?",
    answer: (
      <p>
        Yes, where a project is sold in lots: you choose how many, each at the price on the project's page. A project of
        one lot has one backer, who pays the whole goal. On <Link to="/discover">Discover</Link> you find projects of
        different sizes.
      </p>
    ),
  },
  {
    id: "holds",
    question: "What happens while I am paying?",
    answer: (
      <WhereHeld
        otherwise={
          <p>
            This site holds no lots at present: they go to whoever's payment is approved first. Send your receipt soon
            after the transfer. If the lots are gone by then, your money will be returned to you.
          </p>
        }
      >
        <p>
          The lots you chose are held for you for <Figure of="holdHours" />, until the time on the payment page. Upload
          your receipt before then, and they stay held while we review it, at most for seven working days. If all lots
          are held by others, join the waiting list: what comes free is offered to the first on it, by email. If your
          hold ended after you paid, send the receipt all the same: if the lots are gone, your money will be returned to
          you.
        </p>
      </WhereHeld>
    ),
  },
  {
    id: "review",
    question: "How long does it take until my payment is approved?",
    answer: (
      <p>
        We review receipts within <Figure of="reviewDays" /> and email you. Until then your project is in your profile
        under "Pending Approval". There is nothing you need to do.
      </p>
    ),
  },
  {
    id: "receipt",
    question: "Do I get a receipt from you?",
    answer: (
      <p>
        Yes, when your payment is approved: a numbered PDF, which you find in your <Link to="/profile">profile</Link>{" "}
        under "Money". There you also find refund notes, the statement of each settlement, and a statement of your money
        in the days that you choose. Whoever you show a paper to can <Link to="/verify">verify it</Link>.
      </p>
    ),
  },
  {
    id: "replace-receipt",
    question: "I uploaded the wrong receipt. What now?",
    answer: (
      <p>
        Open the project's payment page again and send the right one. While your payment is pending, a new receipt takes
        the place of the one before. It stays one payment.
      </p>
    ),
  },
  {
    id: "rejected",
    question: "Why was my payment not approved?",
    answer: (
      <p>
        Mostly because the receipt can't be read, or the amount or the reference doesn't match what reached our account.
        If we give a reason, it is in the email and the notification. While the project is open you can send the receipt
        again. If you think we are wrong, write to <SupportLink /> and name your reference.
      </p>
    ),
  },
  {
    id: "refund",
    question: "I have paid, but somebody else was faster. Is my money lost?",
    answer: (
      <p>
        No. If the lots were gone before your payment was approved, a refund of the full amount you transferred is due
        to you as soon as it has reached our account. You read it in your profile and by email. If you had transferred
        but not yet sent your receipt, you can still send it, also after the project has closed, so that we can match
        your money.
      </p>
    ),
  },
  {
    id: "money-back",
    question: "How do I get a refund paid?",
    answer: (
      <>
        <p>
          Tell us where to: in your <Link to="/profile">profile</Link> under "Money", name your bank, the number and the
          name of your account. An account that you have just given rests for two days before we pay to it, so that
          nobody who gets into your profile can take your money.
        </p>
        <p>
          Then we promise to pay within <Figure of="refundDays" />. Your profile says by which day, when the money was
          sent, and with which reference. If your bank sends it back, because the name or the number is wrong, you read
          why, correct it, and we pay again. Our bank's fees are ours, not yours. The money of a harvest is paid in the
          same way.
        </p>
      </>
    ),
  },
  {
    id: "harvest",
    question: "What happens at harvest?",
    answer: (
      <>
        <p>
          We email you how much was harvested and how much of it is yours. In your <Link to="/profile">profile</Link>{" "}
          you open the project under "Backed Projects", and choose in its tab "Harvest": take the produce, donate it, or
          have it sold, or some of each, as far as the harvest terms offer it. You see about what a sale would bring;
          the price may differ.
        </p>
        <p>
          You can change your choice until the last day, and we remind you of it. What you don't choose is sold for you.
          How the harvest is shared, the fee, the costs and the days that you have stand in the harvest terms on the
          project's page, which you read before you pay.
        </p>
      </>
    ),
  },
  {
    id: "collect",
    question: "How do I collect my produce?",
    answer: (
      <p>
        When choosing is over you get a code of six digits, by email and in the tab "Harvest", where it stands as a QR
        code too. Show it at the place that is named there, until the day that is named there. Whoever shows the code
        gets the produce, so keep it to yourself. What isn't collected in time is sold for you.
      </p>
    ),
  },
  {
    id: "sale",
    question: "When do I get the money of a sale?",
    answer: (
      <p>
        When the buyers' money has arrived it is divided, in one go or in several. First the costs that the harvest
        terms name come off. The rest is divided by quantity, and from your share we take the fee that the terms name,
        with VAT and withheld tax where they apply. The terms of new projects name <Figure of="fee" />. The tab
        "Harvest" shows each line. The sum is paid to the bank account that you name in your profile under "Money",
        where you also see by when.
      </p>
    ),
  },
  {
    id: "fees",
    question: "What do you charge?",
    answer: (
      <p>
        Nothing for an account, a payment or a refund. Of what a sale brings you we take the fee that the harvest terms
        name, which is <Figure of="fee" /> for new projects. Produce that you take or donate costs no fee.
      </p>
    ),
  },
  {
    id: "struck",
    question: "Can an approved payment stop counting?",
    answer: (
      <p>
        Only if the money turns out not to be with us: a bank took it back, or never sent it. Two of us confirm that,
        and you read why by email and in your profile. What we paid to you before stays yours, and if the money reaches
        us after all, we give it back to you.
      </p>
    ),
  },
  {
    id: "pass-on",
    question: "Can somebody else take over what I have?",
    answer: (
      <p>
        After a death, as a gift in the family, or by order of a court: write to <SupportLink />. It isn't for sale. Two
        of us look at the documents, both people are emailed, and either can object for 14 days.
      </p>
    ),
  },
  {
    id: "risk",
    question: "Can I lose money?",
    answer: (
      <p>
        Yes. Disease, drought, flood, theft or falling prices can make a harvest late, small, or nothing at all. No
        return is guaranteed. Each project's page says what can go wrong there. Back a farm only with money that you can
        do without.
      </p>
    ),
  },
  {
    id: "cancel",
    question: "Can I change my mind?",
    answer: (
      <p>
        As long as you haven't paid, simply do nothing. If you have paid and the payment isn't approved yet, write to{" "}
        <SupportLink /> at once. After the approval the money is at work on the farm and can't simply be taken back. See{" "}
        <Link to="/terms" hash="refunds">
          refunds in the terms
        </Link>
        .
      </p>
    ),
  },
];
