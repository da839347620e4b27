import { LinkButton } from "#client/ui/layout/link-button.tsx";
import classes from "./join-us.module.css";

export function JoinUs() {
  return (
    <section className={classes.panel}>
      <h2 className={classes.title}>Find the farm that you want to see grow</h2>
      <p className={classes.text}>
        New farms open through the year. Each one is a single lot: first come, first served.
      </p>
      <LinkButton to="/discover" size="lg">
        Join Us
      </LinkButton>
    </section>
  );
}
