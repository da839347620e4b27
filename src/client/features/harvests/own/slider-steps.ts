import type { Unit } from "#shared/projects/terms-texts.ts";

/** How many places a slider has at most: each is wider than a pixel of the smallest phone. */
const mostSteps = 200n;
/** Units of which the slider only takes whole ones. */
const whole: readonly Unit[] = ["piece", "crate", "bag", "bird"];

/** By how much a slider over a quantity moves: 1, 2 or 5 of a decimal place, in thousandths of the unit. */
export function sliderStep(quantity: bigint, unit: Unit): bigint {
  for (let place = whole.includes(unit) ? 1000n : 1n; ; place *= 10n) {
    for (const step of [place, 2n * place, 5n * place]) {
      if (quantity <= step * mostSteps) return step;
    }
  }
}
