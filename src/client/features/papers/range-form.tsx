import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";
import { dayInLagos } from "#shared/dates.ts";
import { paperRangeInput } from "#shared/papers/inputs.ts";
import { paperPath } from "#shared/papers/texts.ts";
import classes from "./papers.module.css";

type Range = { firstDay: string; lastDay: string };

type RangeFormProps = {
  /** "Make statement". */
  label: string;
  make: (range: Range) => Promise<{ id: number; number: string }>;
  onMade: () => unknown;
};

/** Makes the paper of a range of days and gives its PDF; at first this year until today. */
export function RangeForm({ label, make, onMade }: RangeFormProps) {
  const [range, setRange] = useState<Range>(() => {
    const today = dayInLagos(new Date());
    return { firstDay: `${today.slice(0, 4)}-01-01`, lastDay: today };
  });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const making = useMutation({
    mutationFn: async () => {
      const { id, number } = await make(range);
      onMade();
      await saveFile(paperPath(id), `${number}.pdf`);
      return number;
    },
    onSuccess: (number) => toast.success(`${number} was downloaded.`),
    onError: (error) => {
      const found = fieldErrors(error);
      setFaults(found);
      if (Object.keys(found).length === 0) toast.error("The paper could not be made.", errorText(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(paperRangeInput, range);
    setFaults(found);
    if (Object.keys(found).length === 0) making.mutate();
  };
  const fieldOf = (name: keyof Range, text: string) => (
    <TextInput
      type="date"
      label={text}
      name={name}
      value={range[name]}
      error={faults[name]}
      onChange={({ currentTarget }) => setRange({ ...range, [name]: currentTarget.value })}
    />
  );
  return (
    <form className={classes.range} onSubmit={submit} noValidate aria-label={label}>
      {fieldOf("firstDay", "First day")}
      {fieldOf("lastDay", "Last day")}
      <Button type="submit" variant="default" loading={making.isPending}>
        {label}
      </Button>
    </form>
  );
}
