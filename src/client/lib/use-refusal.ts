import { useState } from "react";
import { errorReason, errorText, fieldErrors } from "./errors.ts";

/** The part of a Mantine form that a refusal needs. */
type FormErrors = { setErrors: (errors: Record<string, string>) => void };

/**
 * Shows a refusal: at its fields; a wrong password or a lock at the password; anything else above the form. The form
 * keeps its content. `refuse` returns the first field that is to blame.
 */
export function useRefusal(form: FormErrors, hasPassword: boolean) {
  const [problem, setProblem] = useState<string | null>(null);
  const refuse = (error: unknown): string | undefined => {
    const faults = fieldErrors(error);
    const isAboutPassword = hasPassword && ["invalid", "rate_limited"].includes(errorReason(error));
    if (Object.keys(faults).length === 0 && isAboutPassword) faults.currentPassword = errorText(error);
    form.setErrors(faults);
    setProblem(Object.keys(faults).length > 0 ? null : errorText(error));
    return Object.keys(faults)[0];
  };
  return { problem, refuse, forgetProblem: () => setProblem(null) };
}
