/**
 * Texts about the home page's figures and testimonials. No schema is here, because pages that only show texts don't
 * need one.
 */

export const testimonialLimits = { name: 80, backed: 120, words: 300, agreement: 300 } as const;

/** How many rounds have to be decided before computed figures are shown: fewer say nothing. */
export const decidedRoundsNeeded = 5;

/** How many testimonials stand on the home page at once at most. */
export const shownTestimonials = 12;

export const homeTexts = {
  loadFailed: "The home page's settings could not be loaded",
  nameMissing: "Please enter the person's name",
  nameTooLong: `A name has at most ${testimonialLimits.name} characters`,
  backedMissing: "Please enter what they backed",
  backedTooLong: `This has at most ${testimonialLimits.backed} characters`,
  wordsMissing: "Please enter what they say",
  wordsTooLong: `A testimonial has at most ${testimonialLimits.words} characters`,
  agreementMissing: "Please say how the person agreed",
  agreementTooLong: `This has at most ${testimonialLimits.agreement} characters`,
  photoNotOurs: "Upload the photo here",
  photoGone: "The photo is no longer stored. Please upload it again.",
  full: `${shownTestimonials} testimonials stand on the home page already. Hide one first.`,
  gone: "This testimonial no longer exists.",
  added: "It stands on the home page now",
  hidden: "It no longer stands on the home page",
  shown: "It stands on the home page again",
  changeFailed: "The testimonial was not changed",
} as const;
