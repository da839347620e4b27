import { adminProcedure, router, sharedProcedure } from "#server/platform/procedures.ts";
import { hideTestimonialInput, testimonialForm } from "#shared/site/home-inputs.ts";
import { getHome, getHomeSettings } from "./queries.ts";
import { addTestimonial, hideTestimonial } from "./testimonials.ts";

export const homeRouter = router({
  home: sharedProcedure.query(({ ctx }) => getHome(ctx)),
  homeSettings: adminProcedure("settings:manage").query(({ ctx }) => getHomeSettings(ctx)),
  addTestimonial: adminProcedure("settings:manage")
    .input(testimonialForm)
    .mutation(({ ctx, input }) => addTestimonial(ctx, input)),
  hideTestimonial: adminProcedure("settings:manage")
    .input(hideTestimonialInput)
    .mutation(({ ctx, input }) => hideTestimonial(ctx, input)),
});
