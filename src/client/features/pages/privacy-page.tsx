import { Link } from "@tanstack/react-router";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { returnDays } from "#shared/accounts/texts.ts";
import { DocPage, type DocSection } from "./doc-page.tsx";
import { CompanyName, SiteName } from "./prose.tsx";

const sections: DocSection[] = [
  {
    id: "controller",
    title: "1. Who is responsible",
    content: (
      <p>
        <CompanyName /> decides why and how personal data are used on <SiteName />, and is the data controller under the
        Nigeria Data Protection Act 2023 ("the Act"). Write to <SupportLink /> about anything on this page.
      </p>
    ),
  },
  {
    id: "what",
    title: "2. What we keep, and why",
    content: (
      <>
        <h3>Your account</h3>
        <p>
          Name, email address, your password (only as a one-way hash that can't be turned back), and when you joined. If
          you sign in with Google: the email address and the identifier that Google gives us for you. If you use a
          second factor: its secret, encrypted. <em>Why: to perform our agreement with you.</em>
        </p>
        <h3>Sign-ins</h3>
        <p>
          For each sign-in its time, your IP address and the name of your browser; the devices that you signed in from;
          counts of failed attempts.{" "}
          <em>Why: to keep you signed in and keep others out (our legitimate interest in safety).</em>
        </p>
        <h3>Backings and payments</h3>
        <p>
          The projects that you back or mark as favorites, your payment reference, the amount, the receipts that you
          upload with their file names, our decision and its reason. A receipt may show your bank, account number and
          name. <em>Why: to perform our agreement, and to keep the books that the law asks of us.</em>
        </p>
        <h3>Money that we pay you</h3>
        <p>
          The bank, number and name of the account that you give us, since when it is used, and each sum that we paid to
          it or that came back, with its reference. We ask for no BVN and no NIN.{" "}
          <em>Why: to pay you, and to keep the books that the law asks of us.</em>
        </p>
        <h3>Harvests</h3>
        <p>
          Your share of each harvest, what you chose and when, the code that you collect with, when you collected, and
          what each settlement gave you.{" "}
          <em>Why: to perform our agreement, and to keep the books that the law asks of us.</em>
        </p>
        <h3>Messages and notifications</h3>
        <p>
          What you write in a project's messages, the notifications and emails that we send you, and which kinds of
          email you switched off. <em>Why: to perform our agreement.</em>
        </p>
        <h3>When you contact us or apply for a job</h3>
        <p>
          Name, email address, phone number, your message; for an application also the position, your cover letter and
          résumé. <em>Why: to answer you, or to take the steps you ask for before a contract.</em>
        </p>
        <h3>Records of administrative work</h3>
        <p>
          A log of important acts, such as a decision on a payment or a change of an administrator's rights: who, what,
          when and from which IP address. It can't be edited or deleted.{" "}
          <em>Why: so that what happens to money can be proved (our legitimate interest, and our legal duties).</em>
        </p>
        <h3>Technical logs</h3>
        <p>
          Each request to the server leaves a line with time, page address without its search part, and IP address.{" "}
          <em>Why: to find faults and attacks.</em>
        </p>
        <p>
          We use no advertising, no analytics and no profiling, make no decision about you by computer alone, and sell
          no data to anybody. What your browser keeps is listed by name in the <Link to="/cookies">cookie policy</Link>.
        </p>
      </>
    ),
  },
  {
    id: "who-sees",
    title: "3. Who sees it",
    content: (
      <ul>
        <li>
          <strong>Our administrators</strong>, as far as their role needs it: receipts only those who handle payments,
          parts of harvests only those who handle harvests, bank accounts only those who pay money out, résumés only
          those who handle applicants.
        </li>
        <li>
          <strong>Our bank</strong> gets the account to pay to, the sum and a reference.
        </li>
        <li>
          <strong>Other backers</strong> don't see your name, email address, payments or receipts on public pages.
          Messages are read by the backers of that project and by administrators.
        </li>
        <li>
          <strong>Companies that work for us</strong>: those that run our servers, store files and deliver our email.
          They may use the data only for that.
        </li>
        <li>
          <strong>Google</strong>, if you choose to sign in with Google: it learns that you did.
        </li>
        <li>
          <strong>YouTube, Vimeo or Facebook</strong>, when you press play on a video of theirs, and another site when a
          farm's picture or stream comes from it: it learns your IP address.
        </li>
        <li>
          <strong>Authorities and courts</strong>, where the law obliges us.
        </li>
      </ul>
    ),
  },
  {
    id: "where",
    title: "4. Where it is kept",
    content: (
      <p>
        If a company that works for us keeps data outside of Nigeria, we allow it only where the Act does: the country
        or the contract protects the data adequately, or another ground of the Act applies. Ask us where your data are
        kept at present.
      </p>
    ),
  },
  {
    id: "how-long",
    title: "5. How long we keep it",
    content: (
      <ul>
        <li>
          <strong>Account, favorites, notifications, devices</strong>: until you close your account.
        </li>
        <li>
          <strong>Sign-ins</strong>: until they end, at most 7 days (12 hours for administrators); counts of failed
          attempts about an hour after they expire.
        </li>
        <li>
          <strong>Links that we email</strong> (confirming, resetting): a week after they expire. They are kept hashed.
        </li>
        <li>
          <strong>Emails that we sent you</strong>: 30 days.
        </li>
        <li>
          <strong>Payments, receipts, backings and the books</strong>: also after you close your account, for as long as
          tax, company and anti-fraud law require proof of them. Your account stays open while a payment is under
          review, we hold money of yours, money is due to you or on its way, a farm you back isn't decided, or you hold
          lots, so that we can reach you.
        </li>
        <li>
          <strong>Whoever closes an account with a part in a running farm</strong>: email address and bank account stay
          until nothing is due any more, so that we can pay.
        </li>
        <li>
          <strong>Whoever closes an account after we paid them</strong>: the email address stays for the {returnDays}{" "}
          days in which a bank may send the money back.
        </li>
        <li>
          <strong>Bank accounts that you named</strong>: until you close your account and nothing is due to you. One
          that we paid to stays in our books, with the payment it is the proof of.
        </li>
        <li>
          <strong>Messages in projects</strong>: as long as the project stands; after you close your account without
          your name.
        </li>
        <li>
          <strong>The log of administrative acts</strong>: permanently, because its worth is that nobody can change it.
        </li>
        <li>
          <strong>Contact messages and job applications</strong>: until they are dealt with and no longer needed as
          proof. You may ask us to delete yours earlier.
        </li>
      </ul>
    ),
  },
  {
    id: "rights",
    title: "6. Your rights",
    content: (
      <>
        <p>Some of them are buttons:</p>
        <ul>
          <li>
            <strong>See and take along</strong> all that we hold about you: "Download my data" in your{" "}
            <Link to="/profile/account">account settings</Link> gives one file that any computer can read.
          </li>
          <li>
            <strong>Correct</strong> your name and email address in the same place.
          </li>
          <li>
            <strong>Delete</strong>: "Close my account" removes your name, email address, password, favorites and
            notifications (also those about you that went to us) and signs out all devices. Payments and backings stay
            in our books, messages stay without your name.
          </li>
          <li>
            <strong>Stop emails</strong> about updates with one click in each of them. Emails about security and about
            your payments always come.
          </li>
        </ul>
        <p>
          Under the Act you may also object to a use of your data, ask us to restrict it, and withdraw a consent you
          gave. Write to <SupportLink />; it costs nothing. If our answer doesn't satisfy you, you may complain to the
          Nigeria Data Protection Commission.
        </p>
      </>
    ),
  },
  {
    id: "security",
    title: "7. How we protect it",
    content: (
      <>
        <ul>
          <li>Passwords are hashed with Argon2id; tokens of sign-ins and links are kept only as hashes.</li>
          <li>Sign-in locks after repeated failures, and a sign-in from a new device is mailed to you.</li>
          <li>
            Receipts and résumés are private files: a link to one works for an hour at most, and only for the person it
            was made for.
          </li>
          <li>Photos of farms are re-encoded, so that hidden data such as the place where they were taken are gone.</li>
          <li>Administrators' rights are read again on every request, and they can use a second factor.</li>
        </ul>
        <p>
          No system is perfectly safe. If a breach puts your rights at risk we tell you and the Nigeria Data Protection
          Commission as the Act demands.
        </p>
      </>
    ),
  },
  {
    id: "children",
    title: "8. Children",
    content: <p>Accounts are for people of 18 and older. If a child gave us data, write to us and we remove them.</p>,
  },
  {
    id: "changes",
    title: "9. Changes to this page",
    content: (
      <p>When what we do with data changes, this page changes with it. You may print or save it for your records.</p>
    ),
  },
];

export function PrivacyPage() {
  return (
    <DocPage
      isLegal
      title="Privacy Policy"
      text="What we know about you, why, for how long, and what you can do about it."
      summary={
        <Notice tone="neutral" title="In short">
          <p>
            We keep what backing a farm needs, and proof of what happened to money. No advertising, no tracking, no
            selling of data. You can download everything or close your account yourself.
          </p>
        </Notice>
      }
      sections={sections}
    />
  );
}
