import { Link } from "@tanstack/react-router";
import { useSite } from "#client/lib/site.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import classes from "./pages.module.css";
import { Part, Prose } from "./prose.tsx";

export function AboutPage() {
  const site = useSite();
  return (
    <>
      <PageHead title="About us" text={`${site.name} is Hausa for "the farm". This is how it began.`} />
      <img
        className={classes.scene}
        src="/art/founders.svg"
        alt="Two people beside a fish pond, with a young tree sign, hens and a water tank"
        width={1200}
        height={600}
        fetchPriority="high"
      />
      <div className={classes.lead}>
        <Prose>
          <p>
            It began with a fish pond and a phone call. One of us kept the pond. The other lived in the city and had
            sent money home for it, and called every Sunday to ask how the fish were.
          </p>
          <p>
            The answer was always "they are fine". Then came a Sunday when they were not. A pump had stopped in the
            night, and half of the pond was gone. What hurt most was not the loss. It was that nobody had said the pump
            was old, that the one who sent the money had never seen the pond, and that both had believed they were doing
            it right.
          </p>
          <p>
            So for the next fish we made a rule. Every Friday there would be a report: how many, how heavy, what they
            ate, what it cost, what went wrong. With a photo, also when the photo was ugly. The Sunday calls became
            shorter, and friendlier. Then a cousin asked whether she could send money for a pond too. Then her
            colleague.
          </p>
          <p>
            We noticed that there was no shortage of good farmers, and none of people who wanted to stand behind one.
            What was missing was the Friday report, and somebody in the middle who counts the money properly. That is
            what {site.name} is.
          </p>
        </Prose>
        <Part title="What we hold to">
          <Prose>
            <ul>
              <li>
                <strong>Bad news travels first.</strong> A report that says "we lost 23 young snails to ants" is worth
                more than a pretty picture.
              </li>
              <li>
                <strong>One farm, so many lots, one price.</strong> You know which project your money is for. All
                transfers reach one bank account of ours, and our books keep each project's money apart.
              </li>
              <li>
                <strong>Every naira is written down twice.</strong> Our books are double-entry and can only be added to.
                A correction is a new line, never an eraser.
              </li>
              <li>
                <strong>No promises about the weather.</strong> We say what can go wrong before you pay, and we
                guarantee no return.
              </li>
            </ul>
          </Prose>
        </Part>
        <Part title="Come closer">
          <Prose>
            <p>
              Look at the farms that are open, read <Link to="/trust-safety">how we keep money and farms safe</Link>, or{" "}
              <Link to="/contact" hash="visit">
                book a visit
              </Link>{" "}
              and meet the fish.
              {site.hasCareers && (
                <>
                  {" "}
                  If you would rather work with us, see our <Link to="/careers">open positions</Link>.
                </>
              )}
            </p>
          </Prose>
          <LinkButton to="/discover" size="lg" mt="md">
            Discover projects
          </LinkButton>
        </Part>
      </div>
    </>
  );
}
