import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { renameSearchInput } from "#shared/saved-searches/inputs.ts";
import { savedSearchLimits } from "#shared/saved-searches/texts.ts";
import classes from "./saved-searches.module.css";

type RenameFormProps = { search: { id: number; name: string }; onClose: () => void };

/** Gives a saved search another name, in the place of its buttons. */
export default function RenameForm({ search, onClose }: RenameFormProps) {
  const utils = trpc.useUtils();
  const form = useForm({
    initialValues: { searchId: search.id, name: search.name },
    validate: schemaResolver(renameSearchInput, { sync: true }),
  });
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const rename = trpc.savedSearches.rename.useMutation({
    onSuccess: async () => {
      await utils.savedSearches.mine.invalidate();
      onClose();
    },
    onError: refuse,
  });
  const submit = form.onSubmit((values) => {
    forgetProblem();
    rename.mutate(values);
  });
  return (
    <form className={classes.words} onSubmit={submit} noValidate aria-label={`Rename “${search.name}”`}>
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <TextInput ref={focus} label="Name" maxLength={savedSearchLimits.name} mb="sm" {...form.getInputProps("name")} />
      <ButtonRow>
        <Button type="submit" loading={rename.isPending}>
          Save
        </Button>
        <Button variant="default" disabled={rename.isPending} onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}

/** The button that opened it has gone. */
const focus = (field: HTMLInputElement | null) => field?.focus();
