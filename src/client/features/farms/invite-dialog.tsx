import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { inviteToFarmInput } from "#shared/farms/inputs.ts";
import { farmRoleSummaries } from "#shared/farms/people-texts.ts";
import { type FarmRole, farmRoleLabels, farmRoles } from "#shared/farms/texts.ts";
import { inviteHours } from "#shared/people/team-texts.ts";
import type { Farm } from "./farm-values.ts";
import classes from "./farms.module.css";

const fields = inviteToFarmInput.omit({ farmId: true });
const blank: { email: string; fullName: string; role: FarmRole } = { email: "", fullName: "", role: "reporter" };

type InviteDialogProps = { farm: Farm; isOpen: boolean; onClose: () => void };

/** Invites somebody to the farm by mail. What was typed survives a failure, and closing without sending. */
export default function InviteDialog({ farm, isOpen, onClose }: InviteDialogProps) {
  const utils = trpc.useUtils();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: blank, validate: schemaResolver(fields, { sync: true }) });
  const invite = trpc.farms.invite.useMutation({
    onSuccess: (_, { email }) => {
      toast.success("Invitation sent", `We have mailed a link to ${email}.`);
      form.reset();
      onClose();
    },
    onError: (error) => {
      const faults = fieldErrors(error);
      form.setErrors(faults);
      const isUnforeseen = ["internal", "network", "unavailable"].includes(errorReason(error));
      if (isUnforeseen) toast.error("The invitation could not be sent");
      setProblem(isUnforeseen || Object.keys(faults).length > 0 ? null : errorText(error));
    },
    onSettled: () => utils.farms.invalidate(),
  });
  const close = invite.isPending ? () => undefined : onClose;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={`Invite to ${farm.name}`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit((values) => {
          setProblem(null);
          invite.mutate({ ...values, farmId: farm.id });
        })}
      >
        <p className={classes.none}>
          The person gets a mail with a link that works once, within {inviteHours} hours. They need an account with this
          address.
        </p>
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.getInputProps("email")} />
        <TextInput label="Full name" autoComplete="off" {...form.getInputProps("fullName")} />
        <NativeSelect
          label="What they do"
          description={farmRoleSummaries[form.values.role]}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={farmRoles.map((role) => ({ value: role, label: farmRoleLabels[role] }))}
          {...form.getInputProps("role")}
        />
        <ButtonRow>
          <Button variant="default" onClick={close} disabled={invite.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Send Invitation
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}
