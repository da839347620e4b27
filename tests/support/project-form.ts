import type { z } from "zod";
import type { createProjectInput } from "#shared/projects/create-project.ts";
import type { TermsFormInput } from "#shared/projects/terms.ts";

/** The terms that the wizard's form is filled with, where the platform's fee is 5 %. */
const termsInput: TermsFormInput = {
  unit: "share",
  plannedQuantity: "",
  plannedPrice: "",
  plannedHarvests: null,
  firstHarvestOn: null,
  farmPart: "0",
  deductibleCosts: [],
  fee: "5",
  options: ["produce", "sale", "give_away"],
  collectionPlace: "",
  choiceDays: 14,
  collectionDays: 7,
  insurance: null,
  releaseParts: [],
};

/** A sound form, as the wizard sends it, with whatever a test wants otherwise. */
export function projectFormOf(values: Partial<z.input<typeof createProjectInput>> = {}) {
  const form: z.input<typeof createProjectInput> = {
    title: "Snail pens behind the market",
    category: "livestock",
    shortDescription: "Forty pens of giant snails near Epe.",
    fundingGoal: "1,250,000.50",
    duration: 45,
    location: "Lagos",
    description: "<p>Forty pens of giant snails, looked after by two families who have kept snails for years.</p>",
    videoUrl: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    imageUrl: "/scenes/snail-pens.svg",
    imageAlt: "Snails on leaves",
    rewards: [{ title: "Supporter", amount: "25", description: "A thank-you.", quantity: null }],
    terms: termsInput,
    idempotencyKey: crypto.randomUUID(),
    ...values,
  };
  return form;
}
