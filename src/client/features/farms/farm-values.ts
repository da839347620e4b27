import { faultsOf } from "#client/lib/faults.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { type FarmFormInput, farmForm } from "#shared/farms/inputs.ts";

export type Farm = RouterOutputs["farms"]["one"];

/** The form as it is typed; {@link toInput} makes of it what the server takes. */
export type FarmValues = {
  name: string;
  state: string;
  place: string;
  latitude: string;
  longitude: string;
  sinceYear: number | string;
  story: string;
  registration: string;
  visitedOn: string;
  visitedBy: string;
  visitNote: string;
};

/** Returns the form's values of a farm; without one, those of a new farm. */
export const valuesOfFarm = (farm?: Farm): FarmValues => ({
  name: farm?.name ?? "",
  state: farm?.state ?? "",
  place: farm?.place ?? "",
  latitude: farm?.latitude ?? "",
  longitude: farm?.longitude ?? "",
  sinceYear: farm?.sinceYear ?? "",
  story: farm?.story ?? "",
  registration: farm?.registration ?? "",
  visitedOn: farm?.visitedOn ?? "",
  visitedBy: farm?.visitedBy ?? "",
  visitNote: farm?.visitNote ?? "",
});

/** A field that holds nothing yet is refused by the schema, here and on the server. */
export const toInput = ({ sinceYear, visitedOn, ...values }: FarmValues): FarmFormInput =>
  ({
    ...values,
    sinceYear: sinceYear === "" ? null : sinceYear,
    visitedOn: visitedOn === "" ? null : visitedOn,
  }) as FarmFormInput;

/** The first fault of each field. */
export const faultsOfFarm = (values: FarmValues): Record<string, string> => faultsOf(farmForm, toInput(values));
