import { IconAlertTriangle, IconArrowBackUp, IconClock } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import classes from "./pages.module.css";
import { Art, Figure, Part, Prose } from "./prose.tsx";

const steps: { title: string; art: string; content: ReactNode }[] = [
  {
    title: "Choose a farm",
    art: "step-choose",
    content: (
      <>
        <p>
          Each project is one managed farm with one goal: 20 snail pens, a fish pond, a field of cassava. Its page says
          where it is, what the money buys, what happens at harvest and what can go wrong.
        </p>
        <p>Take your time. You can mark farms as favorites and come back to them.</p>
      </>
    ),
  },
  {
    title: "Pay by bank transfer",
    art: "step-pay",
    content: (
      <>
        <p>
          Press "Back this project", choose how many lots you want, read the harvest terms and hold the lots. The page
          then shows the amount, our bank account and a reference that is yours alone. Send the transfer with your
          bank's app, then upload the receipt as a photo or PDF.
        </p>
        <p>
          We review receipts within <Figure of="reviewDays" /> and email you. Once your payment is approved you get a
          receipt of ours as a PDF, and the farm is yours to follow.
        </p>
      </>
    ),
  },
  {
    title: "Follow it every week",
    art: "step-follow",
    content: (
      <>
        <p>
          The farm reports week by week, in writing, also when a pump breaks or animals fall ill. Photos and videos
          stand in the gallery. Some farms have a live stream for their backers.
        </p>
        <p>You are told in the site and by email when something new comes, and you can write to the farm's team.</p>
      </>
    ),
  },
  {
    title: "Share the harvest",
    art: "step-harvest",
    content: (
      <>
        <p>
          When the farm has harvested we email you how much of it is yours. You choose: take the produce, donate it, or
          have it sold, or some of each, as far as the harvest terms offer it. You can change your choice until the last
          day. What you don't choose is sold for you.
        </p>
        <p>
          What you take you collect with a six-digit code, at the place and within the days that we tell you. What is
          sold is paid to your bank account once the buyers' money has arrived. The page shows the calculation line by
          line: the sales, the costs, your share, our fee, and what you get. The fee and the costs stand in the harvest
          terms, which you read before you pay; for new projects the fee is <Figure of="fee" /> of what your part is
          sold for.
        </p>
      </>
    ),
  },
];

export function HowItWorksPage() {
  return (
    <>
      <PageHead title="How it works" text="From choosing a farm to sharing its harvest, in four steps." />
      <ol className={classes.steps}>
        {steps.map(({ title, art, content }, index) => (
          <li key={title} className={classes.step}>
            <Art name={art} isEager={index === 0} />
            <div>
              <h2 className={classes.title}>
                <span className={classes.eyebrow}>Step {index + 1}</span> {title}
              </h2>
              <Prose>{content}</Prose>
            </div>
          </li>
        ))}
      </ol>
      <Part title="Good to know before you pay">
        <ul className={classes.points}>
          <li>
            <IconClock size={32} stroke={1.5} aria-hidden="true" />
            <h3>First come, first served</h3>
            <p>
              Lots that you hold are yours to pay for until the time shown; then they are open to others. Where all are
              held you can join the waiting list, and we email you when it is your turn.
            </p>
          </li>
          <li>
            <IconArrowBackUp size={32} stroke={1.5} aria-hidden="true" />
            <h3>If somebody else was faster</h3>
            <p>
              Have you paid, and another payment was approved first? Then a refund of the full amount is due to you. You
              tell us in your profile which account to pay it to, and we pay within <Figure of="refundDays" />.
            </p>
          </li>
          <li>
            <IconAlertTriangle size={32} stroke={1.5} aria-hidden="true" />
            <h3>Farming can fail</h3>
            <p>
              Disease, drought, flood, theft and falling prices happen. No return is guaranteed, and you may lose what
              you paid. Use only money that you can do without.
            </p>
          </li>
        </ul>
      </Part>
      <Part title="Ready to look around?">
        <div className={classes.actions}>
          <LinkButton to="/discover" size="lg">
            Discover projects
          </LinkButton>
          <Link to="/faq">Read the questions others ask</Link>
        </div>
      </Part>
    </>
  );
}
