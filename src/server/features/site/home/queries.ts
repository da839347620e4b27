import { findHomeFiguresChoice } from "#server/features/settings/queries.ts";
import type { Context } from "#server/platform/context.ts";
import { offersJobs } from "#server/platform/site.ts";
import { findShownFigures, previewFigures } from "./figures.ts";
import { listShownTestimonials, listTestimonials } from "./testimonials.ts";

/** Returns the home page's content besides projects, the same for everybody. */
export async function getHome({ db }: Pick<Context, "db">) {
  const [figures, testimonials] = await Promise.all([findShownFigures(db), listShownTestimonials(db)]);
  return { figures, testimonials };
}

/** The section of the settings: what is chosen, what visitors would see with each choice, and every testimonial. */
export async function getHomeSettings({ db }: Pick<Context, "db">) {
  return {
    choice: await findHomeFiguresChoice(db),
    previews: { computed: await previewFigures(db, "computed"), claimed: await previewFigures(db, "claimed") },
    hasCareers: await offersJobs(db),
    testimonials: await listTestimonials(db),
  };
}
