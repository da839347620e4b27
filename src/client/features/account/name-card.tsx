import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { SectionCard } from "#client/ui/layout/section-card.tsx";
import { changeNameInput } from "#shared/account.ts";
import classes from "./account.module.css";

export function NameCard({ fullName }: { fullName: string }) {
  const utils = trpc.useUtils();
  const form = useForm({ initialValues: { fullName }, validate: schemaResolver(changeNameInput, { sync: true }) });
  const change = trpc.users.changeName.useMutation({
    onSuccess: async () => {
      await Promise.all([utils.users.account.invalidate(), utils.auth.viewer.invalidate()]);
      toast.success("Name changed");
    },
    onError: (error) => form.setErrors({ fullName: errorText(error), ...fieldErrors(error) }),
  });
  return (
    <SectionCard title="Name" text="Our team sees it beside what you write and pay.">
      <form
        className={classes.form}
        onSubmit={form.onSubmit((values) => change.mutate(changeNameInput.parse(values)))}
        noValidate
      >
        <TextInput label="Full Name" name="name" autoComplete="name" {...form.getInputProps("fullName")} />
        <Button
          className={classes.action}
          type="submit"
          loading={change.isPending}
          disabled={form.values.fullName.trim() === fullName}
        >
          Save name
        </Button>
      </form>
    </SectionCard>
  );
}
