import {
  IconBuildingCommunity,
  IconDrone,
  IconEgg,
  IconLeaf,
  IconPlant2,
  IconSchool,
  IconTractor,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useSite } from "#client/lib/site.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { type CategoryId, categories } from "#shared/projects/categories.ts";
import classes from "./home.module.css";

export function Hero() {
  // Each sentence stands on a line of its own.
  const sentences = useSite().tagline.split(/(?<=\.) /);
  return (
    <section className={classes.hero}>
      <img
        className={classes.art}
        src="/art/hero.svg"
        alt="A farmer shows a backer the fields, the fish ponds and the poultry house"
        width={1600}
        height={900}
        fetchPriority="high"
      />
      <div className={classes.panel}>
        <h1 className={classes.title}>
          {sentences.map((sentence) => (
            <span key={sentence}>{sentence} </span>
          ))}
        </h1>
        <p className={classes.text}>
          Choose a managed farm in Nigeria, pay by bank transfer, and follow it week by week until the harvest.
        </p>
        <div className={classes.actions}>
          <LinkButton to="/discover" size="lg">
            Join Us
          </LinkButton>
          <a className={classes.anchor} href="#how-it-works">
            How it works
          </a>
        </div>
      </div>
    </section>
  );
}

type HomeSectionProps = { id?: string; title: string; text?: string; link?: ReactNode; children: ReactNode };

/** A part of the home page under its heading, with a way on at the heading's side. */
export function HomeSection({ id, title, text, link, children }: HomeSectionProps) {
  const headingId = useId();
  return (
    <section id={id} className={classes.section} aria-labelledby={headingId}>
      <div className={classes.head}>
        <div>
          <h2 id={headingId} className={classes.sectionTitle}>
            {title}
          </h2>
          {text && <p className={classes.sectionText}>{text}</p>}
        </div>
        {link}
      </div>
      {children}
    </section>
  );
}

const icons: Record<CategoryId, typeof IconLeaf> = {
  sustainable: IconPlant2,
  organic: IconLeaf,
  livestock: IconEgg,
  tech: IconDrone,
  community: IconBuildingCommunity,
  education: IconSchool,
  equipment: IconTractor,
};

export function CategoryGrid() {
  return (
    <ul className={classes.grid}>
      {categories.map(({ id, name }) => {
        const Icon = icons[id];
        return (
          <li key={id}>
            <Link to="/discover" search={{ category: id }} className={classes.tile}>
              <Icon size={32} stroke={1.5} aria-hidden="true" />
              {name}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const stepsOf = (within: string) => [
  {
    title: "Choose a farm",
    text: "Read where it is, what the money buys, what happens at harvest and what can go wrong.",
  },
  {
    title: "Pay by bank transfer",
    text: `Send the amount and upload your receipt. We review it within ${within} and email you.`,
  },
  {
    title: "Follow it every week",
    text: "Weekly reports, photos, videos and a live stream show you how your farm is doing.",
  },
  {
    title: "Share the harvest",
    text: "Collect your share of the produce with a code, donate it, or have it sold for you, less our fee.",
  },
];

export function HowItWorks() {
  return (
    <ol className={classes.steps}>
      {stepsOf(useSite().reviewTime).map((step, index) => (
        <li key={step.title} className={classes.step}>
          <span className={classes.number} aria-hidden="true">
            {index + 1}
          </span>
          <h3 className={classes.stepTitle}>{step.title}</h3>
          <p className={classes.stepText}>{step.text}</p>
        </li>
      ))}
    </ol>
  );
}

/** The operator's figures. Nothing where they show none. */
export function StatsBand() {
  const { data } = trpc.site.home.useQuery();
  if (!data?.figures.length) return null;
  return (
    <section className={classes.band} aria-label="In figures">
      <dl className={classes.stats}>
        {data.figures.map(({ figure, label }) => (
          <div key={label} className={classes.stat}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.figure}>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Backers' quotes. Nothing if there are none. */
export function Testimonials() {
  const { data } = trpc.site.home.useQuery();
  if (!data?.testimonials.length) return null;
  return (
    <HomeSection title="Success stories">
      <ul className={classes.list}>
        {data.testimonials.map(({ id, name, backed, photo, words }) => (
          <li key={id}>
            <figure className={classes.card}>
              <blockquote className={classes.words}>{words}</blockquote>
              <figcaption className={classes.person}>
                {photo && <Picture src={photo} sizes="48px" alt="" width={48} height={48} />}
                <span>
                  <strong>{name}</strong>
                  <span className={classes.backed}>{backed}</span>
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}

export function JoinUs() {
  return (
    <section className={classes.joinPanel}>
      <h2 className={classes.joinTitle}>Find the farm that you want to see grow</h2>
      <p className={classes.joinText}>
        New farms open through the year. They are sold in lots: first come, first served.
      </p>
      <LinkButton to="/discover" size="lg">
        Join Us
      </LinkButton>
    </section>
  );
}
