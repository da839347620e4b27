import type { UseFormReturnType } from "@mantine/form";
import { faultsOf } from "#client/lib/faults.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { farmTexts } from "#shared/farms/texts.ts";
import { koboToNairaText } from "#shared/money.ts";
import { placeholderImage, projectFormLimits, supporterTier } from "#shared/projects/admin-texts.ts";
import type { CategoryId } from "#shared/projects/categories.ts";
import { type ProjectFormInput, projectForm, projectFormSteps } from "#shared/projects/inputs.ts";
import { projectLimits } from "#shared/projects/texts.ts";

/** A tier as it is typed. Its key tells it from others that look alike. */
export type RewardValues = {
  key: string;
  title: string;
  amount: string;
  description: string;
  quantity: number | string;
  isUnlimited: boolean;
};

/** The farm that runs the project, with what its field shows. */
export type ChosenFarm = { id: number; name: string; state: string; place: string };

/** The form as it is typed; `toInput` makes of it what the server takes. */
export type ProjectValues = {
  title: string;
  category: CategoryId | "";
  shortDescription: string;
  fundingGoal: string;
  lots: number | string;
  minimumLots: number | string;
  duration: number | string;
  location: string;
  farm: ChosenFarm | null;
  /** The text typed to find a farm, while none is chosen. */
  farmSearch: string;
  description: string;
  videoUrl: string;
  imageUrl: string;
  imageAlt: string;
  rewards: RewardValues[];
};

export type ProjectFormState = UseFormReturnType<ProjectValues>;
export type EditedProject = RouterOutputs["projects"]["forEdit"];

const newKey = () => crypto.randomUUID();

export const emptyReward = (): RewardValues => ({
  key: newKey(),
  title: "",
  amount: "",
  description: "",
  quantity: "",
  isUnlimited: true,
});

export function newProjectValues(): ProjectValues {
  const { title, amountNaira, description } = supporterTier;
  return {
    title: "",
    category: "",
    shortDescription: "",
    fundingGoal: String(projectFormLimits.goalNaira.default),
    lots: 1,
    minimumLots: "",
    duration: projectLimits.defaultDaysLeft,
    location: "",
    farm: null,
    farmSearch: "",
    description: "",
    videoUrl: "",
    imageUrl: placeholderImage,
    imageAlt: "",
    rewards: [{ ...emptyReward(), title, amount: amountNaira, description }],
  };
}

export function valuesOfProject(project: EditedProject): ProjectValues {
  const { title, category, shortDescription, location, description, videoUrl, imageUrl, imageAlt } = project;
  return {
    title,
    shortDescription,
    location,
    description,
    imageUrl,
    imageAlt,
    farm: project.farm,
    farmSearch: "",
    category: category ?? "",
    fundingGoal: koboToNairaText(project.fundingGoalKobo),
    lots: project.lots,
    minimumLots: project.minimumLots === project.lots ? "" : project.minimumLots,
    duration: project.durationDays,
    videoUrl: videoUrl ?? "",
    rewards: project.rewards.map((reward) => ({
      key: newKey(),
      title: reward.title,
      amount: koboToNairaText(BigInt(reward.amountKobo)),
      description: reward.description,
      quantity: reward.quantity ?? "",
      isUnlimited: reward.quantity === null,
    })),
  };
}

/** Returns the input that the form sends. The schema refuses a field that is still empty, here and on the server. */
export function toInput({ farm, farmSearch: _, ...values }: ProjectValues): ProjectFormInput {
  const rewards = values.rewards.map(({ title, amount, description, quantity, isUnlimited }) => ({
    title,
    amount,
    description,
    quantity: isUnlimited ? null : quantity,
  }));
  // An empty minimum means all lots.
  const minimumLots = values.minimumLots === "" ? null : values.minimumLots;
  return { ...values, farmId: farm?.id ?? null, minimumLots, rewards } as ProjectFormInput;
}

/** Returns true if two fillings of the form say the same. */
export function isSame(one: ProjectValues, other: ProjectValues): boolean {
  const [fields, others] = [toInput(one), toInput(other)];
  const names = Object.keys(fields) as (keyof ProjectFormInput)[];
  return names.every((name) => JSON.stringify(fields[name]) === JSON.stringify(others[name]));
}

/** The first fault of each field, by its path, in the order of the form. */
export function faultsOfProject(values: ProjectValues): Record<string, string> {
  const faults = faultsOf(projectForm, toInput(values));
  // A name that was typed and not chosen would be left out unseen.
  if (!values.farm && values.farmSearch.trim() !== "") faults.farmId ??= farmTexts.notChosen;
  return faults;
}

const fieldsOfSteps = projectFormSteps.map((step) => Object.keys(step.shape));

/** Which step of the wizard holds a field. */
export const stepOf = (path: string): number =>
  Math.max(
    0,
    fieldsOfSteps.findIndex((fields) => fields.includes(path.split(".")[0] ?? "")),
  );
