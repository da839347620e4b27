import { brand } from "#shared/brand.ts";
import classes from "./hero.module.css";

export function Hero() {
  return (
    <header className={classes.hero}>
      <div className={classes.words}>
        <h1 className={classes.title}>Work where the food grows</h1>
        <p className={classes.text}>
          The people on our farms look after what others put their savings into. If that is work you want to be proud
          of, {brand.name} has a place for you.
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
