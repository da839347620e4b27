import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { brand } from "#shared/brand.ts";
import classes from "./hero.module.css";

/** Each sentence of the tagline on a line of its own. */
const sentences = brand.tagline.split(/(?<=\.) /);

export function Hero() {
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
