import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { inviteInput } from "#shared/people/team-inputs.ts";
import { inviteHours } from "#shared/people/team-texts.ts";
import { roleLabels, roleSummaries, adminTexts as texts } from "#shared/people/texts.ts";
import { type Role, roles } from "#shared/permissions.ts";
import classes from "./team.module.css";

const blank: { email: string; fullName: string; role: Role } = { email: "", fullName: "", role: "manager" };

/** Invites somebody by mail. What was typed survives a failure, and closing without sending. */
export default function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const utils = trpc.useUtils();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: blank, validate: schemaResolver(inviteInput, { sync: true }) });
  const invite = trpc.team.invite.useMutation({
    onSuccess: ({ status }, { email }) => {
      toast.success(status === "invited" ? texts.inviteSent : texts.inviteResent, `We have mailed a link to ${email}.`);
      form.reset();
      onClose();
    },
    onError: (error) => {
      const faults = fieldErrors(error);
      form.setErrors(faults);
      const isUnforeseen = ["internal", "network", "unavailable"].includes(errorReason(error));
      if (isUnforeseen) toast.error(texts.inviteFailed);
      setProblem(isUnforeseen || Object.keys(faults).length > 0 ? null : errorText(error));
    },
    onSettled: () => utils.team.listInvites.invalidate(),
  });
  const close = invite.isPending ? () => undefined : onClose;
  return (
    <Modal opened={isOpen} onClose={close} title="Add Admin User" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit((values) => {
          setProblem(null);
          invite.mutate(inviteInput.parse(values));
        })}
      >
        <p className={classes.dimmed}>
          The person gets a mail with a link that works once, within {inviteHours} hours. Until then nothing changes.
        </p>
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.getInputProps("email")} />
        <TextInput label="Full name" autoComplete="off" {...form.getInputProps("fullName")} />
        <NativeSelect
          label="Role"
          description={roleSummaries[form.values.role]}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[...roles].reverse().map((role) => ({ value: role, label: roleLabels[role] }))}
          {...form.getInputProps("role")}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={close} disabled={invite.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Send Invitation
          </Button>
        </div>
      </form>
    </Modal>
  );
}
