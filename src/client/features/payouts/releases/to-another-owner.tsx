import type { ReactNode } from "react";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { reasonInput } from "#shared/second-person/reason.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";

type ToAnotherOwnerProps = {
  description: string;
  onSubmit: (reason: string) => Promise<unknown>;
  onCancel: () => void;
  children: ReactNode;
};

/** The reason for which another owner is asked to confirm something. */
export function ToAnotherOwner(props: ToAnotherOwnerProps) {
  return (
    <ReasonForm
      submitLabel="Send to another owner"
      schema={reasonInput}
      maxLength={secondPersonLimits.reasonMax}
      {...props}
    />
  );
}
