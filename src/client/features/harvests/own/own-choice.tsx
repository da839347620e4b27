import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useEffectEvent, useId } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { estimateNet } from "#shared/harvests/arithmetic.ts";
import { harvestTexts as texts } from "#shared/harvests/texts.ts";
import { parseQuantity } from "#shared/projects/terms.ts";
import { formatQuantity, quantityText, unitLabels } from "#shared/projects/terms-texts.ts";
import classes from "./own-choice.module.css";
import { choiceText, deadlineText, estimateText, type OwnHarvest, type OwnPart } from "./own-harvest-words.ts";
import { sliderStep } from "./slider-steps.ts";

type Props = { harvest: OwnHarvest; mine: OwnPart; until: Date; onSaved: () => void };

const fieldsOf = ({ taken, given }: OwnPart) => ({ taken: quantityText(taken), given: quantityText(given) });

/** Asks the reader how much of their part is taken and given away. The rest is sold. */
export function OwnChoice({ harvest, mine, until, onSaved }: Props) {
  const { id: harvestId, unit, options, now } = harvest;
  const form = useForm({
    initialValues: fieldsOf(mine),
    validate: (values) => {
      const [taken, given] = [parseQuantity(values.taken), parseQuantity(values.given)];
      const tooMuch = taken !== null && given !== null && taken + given > mine.quantity;
      const most = texts.tooMuch(formatQuantity(mine.quantity, unit));
      return {
        taken: taken === null ? texts.choiceMissing : tooMuch && canTake ? most : null,
        given: given === null ? texts.choiceMissing : tooMuch && !canTake ? most : null,
      };
    },
  });
  const canTake = options.includes("produce");
  const canGive = options.includes("give_away");
  const { problem, refuse, forgetProblem } = useRefusal(form, false);
  const choose = trpc.harvests.choose.useMutation({
    onSuccess: (_, sent) => {
      toast.success(texts.choiceSaved);
      form.resetDirty({ taken: sent.taken, given: sent.given });
      forgetProblem();
    },
    onError: (error) => {
      refuse(error);
      toast.error(texts.choiceFailed, errorText(error));
    },
    onSettled: onSaved,
  });

  // The quantity may fall meanwhile, which cuts a saved choice. What was typed since stays.
  const follow = useEffectEvent(() => {
    if (form.isDirty()) return;
    form.setValues(fieldsOf(mine));
    form.resetDirty(fieldsOf(mine));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the saved choice.
  useEffect(() => follow(), [mine.taken, mine.given]);

  const taken = parseQuantity(form.values.taken);
  const given = parseQuantity(form.values.given);
  const rest = taken === null || given === null ? null : mine.quantity - taken - given;
  const isOver = rest !== null && rest < 0n;
  const isTyped = form.isDirty();
  const fieldProps = (field: "taken" | "given") => ({
    harvest,
    quantity: mine.quantity,
    value: field === "taken" ? taken : given,
    other: (field === "taken" ? given : taken) ?? 0n,
    input: form.getInputProps(field),
    onSlide: (value: bigint) => {
      form.setFieldValue(field, quantityText(value));
      form.clearErrors();
    },
  });
  return (
    <form
      className={classes.choice}
      noValidate
      aria-label="Your choice"
      onSubmit={form.onSubmit((values) => choose.mutate({ harvestId, ...values }))}
    >
      {mine.chosenAt ? (
        <Notice tone="positive" title={`Saved on ${formatDateTime(mine.chosenAt)}`}>
          <p>
            {choiceText(mine, unit)} You can change it until {deadlineText(until, now)}.
          </p>
        </Notice>
      ) : (
        <Notice tone="caution" title={`Choose until ${deadlineText(until, now)}`}>
          <p>You have not chosen yet. What you don't choose is sold for you.</p>
        </Notice>
      )}
      {problem && <Notice tone="negative" isAlert title={problem} />}
      {canTake && <QuantityField label="Take the produce" hint={takeHint(harvest)} {...fieldProps("taken")} />}
      {canGive && (
        <QuantityField label="Donate it" hint="You neither collect it nor get money for it." {...fieldProps("given")} />
      )}
      {!canTake && !canGive && <p>The terms of this round offer only the sale.</p>}
      <div className={classes.rest} aria-live="polite" data-over={isOver || undefined}>
        <p className={classes.restHead}>
          <span>{options.includes("sale") ? "Sell the rest" : "The rest is sold"}</span>
          <strong>{rest === null ? "–" : isOver ? "Too much" : formatQuantity(rest, unit)}</strong>
        </p>
        {isOver ? (
          <p>{texts.tooMuch(formatQuantity(mine.quantity, unit))}</p>
        ) : (
          rest !== null && <p>{moneyText(harvest, rest)}</p>
        )}
      </div>
      {(canTake || canGive) && (
        <div className={classes.save}>
          <Button type="submit" size="md" loading={choose.isPending}>
            Save my choice
          </Button>
          {isTyped && <p className={classes.fine}>Not saved yet.</p>}
        </div>
      )}
      <LeaveGuard
        isActive={isTyped && !choose.isPending}
        title="Leave without saving your choice?"
        confirmLabel="Leave without saving"
      >
        What you changed is not saved yet.
      </LeaveGuard>
    </form>
  );
}

const takeHint = ({ collectionPlace }: OwnHarvest): string =>
  collectionPlace ? `You collect it at ${collectionPlace}.` : "You collect it yourself.";

function moneyText(harvest: OwnHarvest, quantity: bigint): string {
  const { referencePriceKobo, feeRate, vatRate, whtRate, costShare } = harvest;
  if (quantity === 0n || referencePriceKobo === null) return "Nothing is sold, so no money comes of this harvest.";
  const rates = { fee: feeRate, vat: vatRate, wht: whtRate };
  const netKobo = estimateNet({ quantity, priceKobo: referencePriceKobo, rates, costs: costShare });
  return estimateText(netKobo, referencePriceKobo, harvest);
}

type FieldProps = {
  label: string;
  hint: string;
  harvest: OwnHarvest;
  /** The reader's whole part. */
  quantity: bigint;
  /** Null while what is typed is no quantity. */
  value: bigint | null;
  /** The quantity in the other field. */
  other: bigint;
  input: object;
  onSlide: (value: bigint) => void;
};

/** A quantity by slider for the thumb, and by number for the exact one. */
function QuantityField({ label, hint, harvest, quantity, value, other, input, onSlide }: FieldProps) {
  const id = useId();
  const { unit } = harvest;
  const step = sliderStep(quantity, unit);
  const last = Number((quantity + step - 1n) / step);
  const shown = value === null ? 0n : value < quantity ? value : quantity;
  const place = shown === quantity ? last : Number(shown / step);
  const slide = (next: number) => {
    const wanted = next >= last ? quantity : BigInt(next) * step;
    const most = quantity > other ? quantity - other : 0n;
    onSlide(wanted < most ? wanted : most);
  };
  return (
    <fieldset className={classes.field} aria-describedby={id}>
      <legend className={classes.fieldName}>{label}</legend>
      <p id={id} className={classes.fine}>
        {hint}
      </p>
      <div className={classes.fieldRow}>
        <input
          className={classes.slider}
          type="range"
          min={0}
          max={last}
          step={1}
          value={place}
          aria-label={`${label}, by slider`}
          aria-valuetext={formatQuantity(shown, unit)}
          style={{ "--filled": `${last === 0 ? 0 : (100 * place) / last}%` } as object}
          disabled={quantity === 0n}
          onChange={({ currentTarget }) => slide(Number(currentTarget.value))}
        />
        <TextInput
          classNames={{ input: classes.number, root: classes.numberRoot, section: classes.unit }}
          aria-label={`${label}, in ${unitLabels[unit].many}`}
          inputMode="decimal"
          autoComplete="off"
          size="md"
          rightSection={unitLabels[unit].many}
          rightSectionWidth="4.5rem"
          rightSectionPointerEvents="none"
          {...input}
        />
      </div>
    </fieldset>
  );
}
