import type { UseFormReturnType } from "@mantine/form";
import { faultsOf } from "#client/lib/faults.ts";
import { koboToNairaText } from "#shared/money.ts";
import type { ReleasePart } from "#shared/projects/release-parts.ts";
import { parseQuantity, type TermsFormInput, termsForm, termsOf } from "#shared/projects/terms.ts";
import {
  type HarvestOption,
  quantityText,
  rateText,
  type Terms,
  termsLimits,
  type Unit,
} from "#shared/projects/terms-texts.ts";

/** The harvest terms as they are typed. */
export type TermsValues = {
  unit: Unit;
  plannedQuantity: string;
  plannedPrice: string;
  plannedHarvests: number | string;
  harvestPlan: string[];
  firstHarvestOn: string;
  farmPart: string;
  deductibleCosts: string;
  fee: string;
  options: HarvestOption[];
  collectionPlace: string;
  choiceDays: number | string;
  collectionDays: number | string;
  isInsured: boolean;
  insurance: { insurer: string; policy: string; covers: string };
  releaseParts: { label: string; rate: string; proof: string; afterDays: number | string }[];
};

export const valuesOfParts = (parts: readonly ReleasePart[]): TermsValues["releaseParts"] =>
  parts.map(({ label, rate, proof, afterDays }) => ({ label, rate: rateText(rate), proof, afterDays }));

export function valuesOfTerms(terms: Terms): TermsValues {
  const { unit, plannedQuantity, plannedPriceKobo, plannedHarvests, firstHarvestOn, insurance } = terms;
  const { options, collectionPlace, choiceDays, collectionDays } = terms;
  return {
    unit,
    options,
    collectionPlace,
    choiceDays,
    collectionDays,
    plannedQuantity: plannedQuantity === null ? "" : quantityText(plannedQuantity),
    plannedPrice: plannedPriceKobo === null ? "" : koboToNairaText(plannedPriceKobo),
    plannedHarvests: plannedHarvests ?? "",
    harvestPlan: terms.harvestPlan.map(quantityText),
    firstHarvestOn: firstHarvestOn ?? "",
    farmPart: rateText(terms.farmPartRate),
    deductibleCosts: terms.deductibleCosts.join("\n"),
    fee: rateText(terms.feeRate),
    isInsured: insurance !== null,
    insurance: insurance ?? { insurer: "", policy: "", covers: "" },
    releaseParts: valuesOfParts(terms.releaseParts),
  };
}

/** Returns the planned total and number of several harvests; null if each can't be planned by itself. */
export function plannedParts(values: TermsValues): { quantity: bigint; harvests: number } | null {
  const quantity = parseQuantity(values.plannedQuantity);
  const harvests = Number(values.plannedHarvests);
  const { max } = termsLimits.plannedHarvests;
  return quantity && Number.isInteger(harvests) && harvests > 1 && harvests <= max ? { quantity, harvests } : null;
}

/** The typed quantity of each harvest, empty where none is typed yet; none: equal parts. */
export function readPlan(values: TermsValues): string[] {
  const length = values.harvestPlan.length === 0 ? 0 : (plannedParts(values)?.harvests ?? 0);
  return Array.from({ length }, (_, at) => values.harvestPlan[at] ?? "");
}

/** Returns the input that the form sends. A cost stands on a line of its own. */
export function toTermsInput(typed: TermsValues): TermsFormInput {
  const { isInsured, insurance, deductibleCosts, ...values } = typed;
  const costs = deductibleCosts.split("\n").filter((line) => line.trim() !== "");
  return {
    ...values,
    harvestPlan: readPlan(typed),
    plannedHarvests: values.plannedHarvests === "" ? null : values.plannedHarvests,
    firstHarvestOn: values.firstHarvestOn || null,
    deductibleCosts: costs,
    insurance: isInsured ? insurance : null,
  } as TermsFormInput;
}

export type TermsFormState = UseFormReturnType<TermsValues>;

/** The first fault of each field, by its path, in the order of the form. */
export const faultsOfTerms = (values: TermsValues): Record<string, string> => faultsOf(termsForm, toTermsInput(values));

/** Returns the typed terms, or null while a field is at fault. */
export function readTerms(values: TermsValues): Terms | null {
  const { data } = termsForm.safeParse(toTermsInput(values));
  return data ? termsOf(data) : null;
}
