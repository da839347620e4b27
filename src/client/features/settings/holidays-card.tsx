import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { faultsOf } from "#client/lib/faults.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { formatDay, formatWeekday, startOfDay } from "#shared/dates.ts";
import { addHolidayInput } from "#shared/holidays/inputs.ts";
import { holidayTexts as texts } from "#shared/holidays/texts.ts";
import classes from "./settings.module.css";

type Holiday = RouterOutputs["holidays"]["list"]["holidays"][number];

/** The days on which nobody works: promises in working days skip them. */
export function HolidaysCard() {
  const query = trpc.holidays.list.useQuery(undefined, { staleTime: 0 });
  return (
    <Card
      title="Holidays"
      text={`Promises in working days skip them. The fixed ones are filled in; add those of the moon once they are announced. ${texts.kept}`}
    >
      {query.data ? (
        <>
          <HolidayList holidays={query.data.holidays} />
          <AddHoliday today={query.data.today} />
        </>
      ) : query.isError ? (
        <LoadFailed query={query} title={texts.loadFailed} />
      ) : (
        <Loading label="Loading holidays">
          <Skeleton height="12rem" radius="var(--mantine-radius-md)" />
        </Loading>
      )}
    </Card>
  );
}

function HolidayList({ holidays }: { holidays: readonly Holiday[] }) {
  const coming = holidays.filter(({ isOver }) => !isOver);
  const over = holidays.filter(({ isOver }) => isOver);
  return (
    <>
      {coming.length === 0 ? (
        <p>No holiday is known.</p>
      ) : (
        <ul className={classes.holidays} aria-label="Holidays to come">
          {coming.map((holiday) => (
            <HolidayRow key={holiday.id} holiday={holiday} />
          ))}
        </ul>
      )}
      {over.length > 0 && (
        <details className={classes.over}>
          <summary>Over this year</summary>
          <ul className={classes.holidays}>
            {over.map((holiday) => (
              <HolidayRow key={holiday.id} holiday={holiday} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function HolidayRow({ holiday: { id, day, name, addedByName, isOver } }: { holiday: Holiday }) {
  const utils = trpc.useUtils();
  const remove = trpc.holidays.remove.useMutation({
    onSuccess: () => toast.success(texts.removed, texts.kept),
    onError: (error) => toast.error(texts.removeFailed, errorText(error)),
    onSettled: () => utils.holidays.list.invalidate(),
  });
  return (
    <li>
      <span>
        <span className={classes.holiday}>{name}</span>
        <span className={classes.holidayDay}>
          {formatWeekday(startOfDay(day))}, <time dateTime={day}>{formatDay(day)}</time>
          {addedByName && `, added by ${addedByName}`}
        </span>
      </span>
      {!isOver && (
        <Button
          variant="default"
          size="sm"
          loading={remove.isPending}
          aria-label={`Remove ${name}, ${formatDay(day)}`}
          onClick={() => remove.mutate({ holidayId: id })}
        >
          Remove
        </Button>
      )}
    </li>
  );
}

const blank = { day: "", name: "" };

function AddHoliday({ today }: { today: string }) {
  const utils = trpc.useUtils();
  const [values, setValues] = useState(blank);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const add = trpc.holidays.add.useMutation({
    onSuccess: () => {
      setValues(blank);
      toast.success(texts.added, texts.kept);
    },
    onError: (error) => {
      const told = fieldErrors(error);
      setFaults(told);
      if (Object.keys(told).length === 0) toast.error(texts.addFailed, errorText(error));
    },
    onSettled: () => utils.holidays.list.invalidate(),
  });
  const type = (name: keyof typeof blank, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setFaults((before) => ({ ...before, [name]: "" }));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = faultsOf(addHolidayInput, values);
    setFaults(found);
    if (Object.keys(found).length === 0) add.mutate(values);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate aria-label="Add a holiday">
      <div className={classes.holidayFields}>
        <TextInput
          label="Day"
          type="date"
          min={today}
          value={values.day}
          error={faults.day}
          onChange={({ currentTarget }) => type("day", currentTarget.value)}
        />
        <TextInput
          label="Name"
          placeholder="Eid el-Fitr"
          autoComplete="off"
          value={values.name}
          error={faults.name}
          onChange={({ currentTarget }) => type("name", currentTarget.value)}
        />
      </div>
      <Button className={classes.action} type="submit" loading={add.isPending}>
        Add holiday
      </Button>
    </form>
  );
}
