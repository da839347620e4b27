import { brand } from "#shared/brand.ts";
import classes from "./hero.module.css";

export function Hero() {
  return (
    <header className={classes.hero}>
      <div className={classes.words}>
        <h1 className={classes.title}>Careers at {brand.name}</h1>
        <p className={classes.text}>
          Work where the food grows. The people on our farms look after what others put their savings into, and every
          week they tell them how it goes.
        </p>
      </div>
      <img
        className={classes.art}
        src="/art/careers.svg"
        alt="A wheelbarrow of seedlings with a straw hat and a watering can, before fields at sunrise"
        width={960}
        height={600}
        fetchPriority="high"
      />
    </header>
  );
}
