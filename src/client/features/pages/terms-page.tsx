import { Link } from "@tanstack/react-router";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { DocPage, type DocSection } from "./doc-page.tsx";
import { CompanyName, SiteName } from "./prose.tsx";

const sections: DocSection[] = [
  {
    id: "who-we-are",
    title: "1. Who we are and what these terms are",
    content: (
      <>
        <p>
          <SiteName /> is run by <CompanyName /> ("we"). These terms are the agreement between you and us when you use
          this site, make an account or back a project. If you don't agree with them, please don't use the site to back
          a project.
        </p>
        <p>
          We also keep a <Link to="/privacy">privacy policy</Link> and a <Link to="/cookies">cookie policy</Link>. They
          say what we do with your data.
        </p>
      </>
    ),
  },
  {
    id: "service",
    title: "2. What we do, and what we are not",
    content: (
      <>
        <p>
          <SiteName /> is a marketplace where people back managed farm projects in Nigeria with money in naira, follow
          the work, and share in the harvest.
        </p>
        <p>
          We are not a bank. What you pay is not a deposit, earns no interest, and is not covered by deposit insurance.
          We give no financial, legal or tax advice, and nothing on the site is such advice. A project's page describes
          a plan; it doesn't promise a result.
        </p>
      </>
    ),
  },
  {
    id: "account",
    title: "3. Your account",
    content: (
      <ul>
        <li>You must be at least 18 years old and able to enter into a contract.</li>
        <li>Give your real name and an email address that is yours, and keep both up to date.</li>
        <li>
          Keep your password to yourself. We never ask for it by email, phone or message. If you think that somebody
          else knows it, change it at once and write to us.
        </li>
        <li>One person, one account. You may not sell, lend or transfer it.</li>
      </ul>
    ),
  },
  {
    id: "backing",
    title: "4. Backing a project",
    content: (
      <>
        <p>
          A project is sold in lots of one price, some as one lot for the whole funding goal. The price stands on the
          project's page and is set by us; you choose how many lots you buy.
        </p>
        <p>
          Lots go <strong>first come, first served</strong>. When you press "Hold my lot", or "Hold 2 lots", they are
          held for you until the time that the page shows, so that you can pay in peace; a receipt keeps them held while
          we review it, at most for seven working days. Afterwards they are open to others. Looking at a page or making
          a transfer holds nothing. Lots are yours when we have approved your payment, and not before.
        </p>
        <p>
          Before you pay, read the whole project page: where the farm is, what the money buys, what happens at harvest
          and what can go wrong. The harvest terms stand above our bank details, and you agree to them before you see
          where to pay. Ask us whatever you don't find there.
        </p>
        <p>
          A project whose time runs out before enough lots are sold does not start. Everything that was paid for it is
          then given back.
        </p>
      </>
    ),
  },
  {
    id: "payment",
    title: "5. Payment and review",
    content: (
      <>
        <ol>
          <li>
            You pay by bank transfer to the account that the payment page shows, with the reference that it shows.
          </li>
          <li>You upload the receipt of your transfer: an image (JPEG, PNG or WebP) or a PDF, at most 10 MB.</li>
          <li>
            We compare it with our bank's statement. We review receipts within one working day and email you the
            decision.
          </li>
        </ol>
        <p>
          Pay only to the account on the payment page of this site. We never send bank details by email, chat or phone.
          Your bank's charges are yours.
        </p>
        <p>
          We approve a payment when the full amount has reached our account. We may reject a receipt that is unreadable,
          that belongs to another payment or that doesn't match the money we received; where we give a reason, you read
          it in the notification and the email. You can then send a better receipt while the project is open.
        </p>
        <p>A false or altered receipt is fraud. We may close the account that sent it and report it.</p>
      </>
    ),
  },
  {
    id: "refunds",
    title: "6. When somebody else was faster, and refunds",
    content: (
      <>
        <p>
          Two people can pay for the same lot, where nothing is held or a hold has ended. Then the payment that we
          approve first takes it. If you have paid and the lots are gone, the project was not funded, or it was removed
          before your payment was decided, <strong>a refund of the full amount you transferred is due to you</strong>{" "}
          once it has reached our account. So is whatever you transferred beyond the amount. A receipt alone is no proof
          that money came: where our bank doesn't show it, two of us look for it.
        </p>
        <p>
          We tell you in the site and by email. You name the bank account to pay to, in your profile under "Money"; it
          should be in your name. From then on we promise to pay by the day that your profile shows. A new or changed
          account rests for two days first. What goes beyond the most that banks transfer at once comes in parts. We
          bear the cost of paying you back.
        </p>
        <p>
          Money that your bank sends back to us stays due to you: we tell you why it came back, and pay it again when
          you have corrected the account. While money is due to you or on its way, your account here can't be closed.
        </p>
        <p>
          If you transferred a wrong amount, or paid for a project and never sent a receipt, write to <SupportLink />{" "}
          and name your payment reference.
        </p>
        <p>
          Once your payment is approved the money goes into the farm's work, and you can't simply cancel. This takes
          away no right that the law gives you.
        </p>
      </>
    ),
  },
  {
    id: "harvest",
    title: "7. The harvest",
    content: (
      <>
        <p>
          A harvest is shared among the backers by what they paid, after the farm's own part where the harvest terms
          name one. We tell you in the site and by email how much of it is yours and until when you choose: take it,
          donate it, or have it sold, as far as the harvest terms offer it. You may change your choice until the last
          day. What you don't choose is sold for you. If the farm finds before that day that it has less, choices are
          cut in proportion, and we tell you why.
        </p>
        <p>
          For what you take you get a code. The produce is handed to whoever shows it, at the place and until the day
          that we tell you. Produce is perishable: what isn't collected in time is sold for you.
        </p>
        <p>
          Money of sales is divided when it has arrived, in one settlement or in several. First the costs that the
          harvest terms name come off. The rest is divided by quantity. From your share we take the fee that the harvest
          terms name, VAT on the fee where we have to charge it, and tax where the law has us withhold it. We show you
          this line by line, and pay you the rest like other money that we owe you (section 6). Once a payment to you
          was prepared, a settlement isn't taken back; a correction can only add to it.
        </p>
        <p>
          If a harvest is lost there is nothing to share. We tell you what happened and show you the evidence. What an
          insurer pays us for your round is divided by what each backer paid, without our fee.
        </p>
        <p>You are responsible for any tax that you owe on what you receive.</p>
      </>
    ),
  },
  {
    id: "risks",
    title: "8. Risks",
    content: (
      <>
        <p>
          Farming can fail. Disease, pests, drought, flood, theft, fire, falling prices and mistakes can make a harvest
          late, smaller than planned, or destroy it.{" "}
          <strong>No return is guaranteed. You may lose part or all of what you paid.</strong>
        </p>
        <p>
          Figures in a project's plan are estimates. What one project brought says nothing sure about another. Don't use
          money that you need for living, rent, school fees or emergencies, and don't borrow to back a farm.
        </p>
      </>
    ),
  },
  {
    id: "following",
    title: "9. Reports, pictures and visits",
    content: (
      <p>
        Farms report week by week in writing. Photos and videos stand in the project's gallery, and some farms have a
        live stream. Weak networks, power cuts and farm work can delay a report or interrupt a stream. Visits are by
        appointment:{" "}
        <Link to="/contact" hash="visit">
          book one
        </Link>
        . On a farm please follow what the people there ask of you; it protects the animals and you.
      </p>
    ),
  },
  {
    id: "conduct",
    title: "10. What you may not do",
    content: (
      <>
        <p>You may not:</p>
        <ul>
          <li>use money from crime, or use the site to hide where money comes from;</li>
          <li>give false names, false receipts or false claims about a farm or a person;</li>
          <li>insult, threaten or harass anybody in messages, or send advertising;</li>
          <li>break into accounts, get around the site's protections, or overload it;</li>
          <li>copy the site or collect data from it by program without our written permission.</li>
        </ul>
        <p>
          What you write in messages stays yours. You allow us to store it and to show it to the people of that project,
          as far as the service needs it.
        </p>
      </>
    ),
  },
  {
    id: "ending",
    title: "11. Blocking and closing accounts",
    content: (
      <>
        <p>
          You can close your account in your <Link to="/profile/account">account settings</Link>, unless a payment of
          yours is under review, we hold money of yours or owe you some, a farm you back isn't decided, or you hold
          lots. What you backed stays in our books; write to us before you close it if a harvest is still due.
        </p>
        <p>
          We may block an account that breaks these terms or the law. Blocking doesn't take away money that is due to
          you. If you think that we are wrong, write to <SupportLink />.
        </p>
      </>
    ),
  },
  {
    id: "liability",
    title: "12. What we are liable for",
    content: (
      <>
        <p>
          We do our work with care, and we are liable for damage that we cause on purpose or by negligence as the law
          provides. We are not liable for a poor harvest that came from the risks of section 8, for the failure of
          banks, networks and other services that we don't run, or for what you lose because you paid to another account
          than the one on our payment page.
        </p>
        <p>
          Nothing in these terms limits rights that can't be limited by law, among them your rights under the Federal
          Competition and Consumer Protection Act 2018.
        </p>
      </>
    ),
  },
  {
    id: "changes",
    title: "13. Changes",
    content: (
      <p>
        We may change these terms, for example when the law or the service changes. A payment falls under the terms that
        stood here when you sent its receipt. You may print or save this page for your records.
      </p>
    ),
  },
  {
    id: "law",
    title: "14. Law and disputes",
    content: (
      <p>
        The law of the Federal Republic of Nigeria applies. Please write to us first: most things can be settled in a
        few messages. If not, the courts of Nigeria decide, and you keep every right to complain to the authority in
        charge.
      </p>
    ),
  },
  {
    id: "contact",
    title: "15. Contact",
    content: (
      <p>
        <CompanyName />, <SupportLink />, or the <Link to="/contact">contact form</Link>.
      </p>
    ),
  },
];

export function TermsPage() {
  return (
    <DocPage
      isLegal
      title="Terms of Service"
      text="The agreement between you and us, in plain words."
      summary={
        <Notice tone="caution" title="The three things to know before you pay">
          <p>Lots are yours only once we have approved your payment. A hold keeps them for you until its end.</p>
          <p>
            If somebody else was faster and your money has reached us, a refund of the full amount is due to you. You
            name the account, and we pay it.
          </p>
          <p>Farming can fail. No return is guaranteed, and you may lose what you paid.</p>
        </Notice>
      }
      sections={sections}
    />
  );
}
