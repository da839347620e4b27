import { CloseButton } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { SearchPicker, usePickerSearch } from "#client/ui/forms/search-picker.tsx";
import { farmTexts, placeOf } from "#shared/farms/texts.ts";
import { administratorsName } from "#shared/projects/texts.ts";
import type { ProjectFormState } from "./form-values.ts";

/** Who runs the project, as backers read it. Empty, it is the operator. `isFixed`: lots of its round are sold. */
export function FarmPicker({ form, isFixed }: { form: ProjectFormState; isFixed: boolean }) {
  const { farm, farmSearch } = form.values;
  const text = farm?.name ?? farmSearch;
  const isPicked = farm !== null;
  const picker = usePickerSearch({ text, isPicked });
  const query = trpc.farms.search.useQuery({ search: picker.search }, { enabled: picker.isWanted, staleTime: 30_000 });
  const farms = query.data?.farms;
  const set = (next: Pick<typeof form.values, "farm" | "farmSearch">) => {
    form.setValues(next);
    form.clearFieldError("farmId");
  };
  return (
    <SearchPicker
      picker={picker}
      query={query}
      options={farms?.map(({ id, name, ...where }) => ({ id: String(id), name, detail: placeOf(where) }))}
      hasMore={query.data?.hasMore ?? false}
      label="Run by"
      description={
        isFixed
          ? farmTexts.roundSold
          : farm
            ? placeOf(farm)
            : `The farm that backers read about. Without one they read “${administratorsName}”.`
      }
      placeholder="Search farms by name"
      listLabel="Farms"
      noneFound="No farm found. Add it under Farms first."
      text={text}
      isPicked={isPicked}
      isReadOnly={isFixed}
      path="farmId"
      error={form.errors.farmId}
      aside={
        isPicked && !isFixed ? (
          <CloseButton aria-label="Run by no farm" onClick={() => set({ farm: null, farmSearch: "" })} />
        ) : undefined
      }
      onType={(next) => set({ farm: null, farmSearch: next })}
      onPick={(id) => {
        const found = farms?.find((one) => String(one.id) === id);
        if (found) set({ farm: found, farmSearch: "" });
      }}
    />
  );
}
