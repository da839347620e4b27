import { useForm } from "@mantine/form";
import { faultsOf, type ProjectFormState, type ProjectValues } from "./form-values.ts";

type ProjectFormOptions = { initialValues: ProjectValues; onValuesChange?: (values: ProjectValues) => void };

/** A project's form, checked on every change by the schema that the server uses. */
export function useProjectForm({ initialValues, onValuesChange }: ProjectFormOptions): ProjectFormState {
  return useForm<ProjectValues>({
    initialValues,
    validate: faultsOf,
    validateInputOnChange: true,
    ...(onValuesChange ? { onValuesChange } : {}),
  });
}

/** Brings the keyboard to the first of the fields that are at fault, once they stand on the screen. */
export function focusField(form: ProjectFormState, path: string | undefined): void {
  if (path === undefined) return;
  requestAnimationFrame(() => {
    const field = form.getInputNode(path);
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  });
}
