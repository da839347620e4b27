import { Link } from "@tanstack/react-router";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { returnDays } from "#shared/accounts/texts.ts";
import { backingQuestions, type Question } from "./faq-backing-questions.tsx";

/** The accordions on backing, updates and account management (specification, section 1). */
export const faqGroups: readonly { id: string; title: string; questions: readonly Question[] }[] = [
  {
    id: "backing",
    title: "Backing a farm",
    questions: backingQuestions,
  },
  {
    id: "updates",
    title: "Updates from the farm",
    questions: [
      {
        id: "how-often",
        question: "How often do I hear from my farm?",
        answer: (
          <p>
            Farms report every week: what was done, what it cost, what went well and what didn't. A weak network or a
            busy week can make a report late.
          </p>
        ),
      },
      {
        id: "where",
        question: "Where do I find the reports, photos and videos?",
        answer: (
          <p>
            In your <Link to="/profile">profile</Link> under "Backed Projects". Open the project: its tabs hold updates,
            media and messages, and you can search them.
          </p>
        ),
      },
      {
        id: "live",
        question: "Is there a live stream?",
        answer: (
          <p>
            Some farms have one, where the network allows it. Live streams are for the backers of that project. Reports,
            photos and videos can be seen by everybody.
          </p>
        ),
      },
      {
        id: "ask",
        question: "How do I ask the farm something?",
        answer: (
          <p>
            In the Messages tab of a project that you back. The team answers there. Other backers of the project can
            read along.
          </p>
        ),
      },
      {
        id: "emails",
        question: "Can I get fewer emails?",
        answer: (
          <p>
            Yes. Emails about updates carry a link that switches that kind off with one click. The notifications under
            the bell stay. Emails about your payments and the safety of your account always come.
          </p>
        ),
      },
      {
        id: "visit",
        question: "Can I visit the farm?",
        answer: (
          <p>
            Yes, by appointment.{" "}
            <Link to="/contact" hash="visit">
              Book a visit
            </Link>{" "}
            and tell us which farm you would like to see and when.
          </p>
        ),
      },
    ],
  },
  {
    id: "account",
    title: "Your account",
    questions: [
      {
        id: "need-account",
        question: "Do I need an account?",
        answer: (
          <p>
            Not to look around. To mark favorites, to back a project and to follow it, yes.{" "}
            <Link to="/signup">Creating one</Link> takes your name, an email address and a password, or your Google
            account where that is offered.
          </p>
        ),
      },
      {
        id: "password",
        question: "I forgot my password.",
        answer: (
          <p>
            Ask for a <Link to="/forgot-password">reset link</Link>. It comes by email and works for one hour, once.
            Afterwards you are signed out everywhere and sign in with the new password.
          </p>
        ),
      },
      {
        id: "locked",
        question: "Why is my sign-in locked?",
        answer: (
          <p>
            After five failed attempts sign-in is locked for three minutes. The page shows how long it still takes. Then
            try again, or reset your password.
          </p>
        ),
      },
      {
        id: "signed-out",
        question: "Why was I signed out?",
        answer: (
          <p>
            After 60 minutes without activity you are signed out, so that nobody else uses your account on a phone that
            lies around. Five minutes before that we ask whether you are still there.
          </p>
        ),
      },
      {
        id: "change",
        question: "How do I change my name, email address or password?",
        answer: (
          <p>
            In your <Link to="/profile/account">account settings</Link>. A new email address counts once you have opened
            the link that we send to it. There you also see where you are signed in, and can sign out other devices.
          </p>
        ),
      },
      {
        id: "data",
        question: "Which data do you hold about me?",
        answer: (
          <p>
            "Download my data" in your <Link to="/profile/account">account settings</Link> gives you all of them in one
            file. The reasons for keeping them are in the <Link to="/privacy">privacy policy</Link>.
          </p>
        ),
      },
      {
        id: "close",
        question: "How do I close my account?",
        answer: (
          <p>
            With "Close my account" in your <Link to="/profile/account">account settings</Link>. Your name, email
            address, favorites and notifications are removed. Payments and backings stay in our books, messages stay
            without your name. Your account stays open while a payment of yours is under review, we hold money of yours,
            money is due to you or on its way, a farm you back isn't decided, or you hold lots. If you have a part in a
            running farm, we keep your email address and your bank account until nothing is due to you any more: give
            the account under "Money" first. If we paid you in the last {returnDays} days, we keep your email address
            until they are over, because your bank may send the money back.
          </p>
        ),
      },
      {
        id: "blocked",
        question: "My account was blocked. What can I do?",
        answer: (
          <p>
            Write to <SupportLink />. Money that is due to you stays due to you.
          </p>
        ),
      },
    ],
  },
];
