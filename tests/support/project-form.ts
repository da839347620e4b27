import type { z } from "zod";
import type { createProjectInput, ProjectFormInput } from "#shared/projects.ts";

/** A sound form, as the wizard sends it, with whatever a test wants otherwise. */
export function projectFormOf(values: Partial<ProjectFormInput> = {}): z.input<typeof createProjectInput> {
  return {
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
    idempotencyKey: crypto.randomUUID(),
    ...values,
  };
}
