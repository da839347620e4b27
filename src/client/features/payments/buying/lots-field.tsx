import "#client/ui/mantine/fields.css";
import { ActionIcon, NumberInput, type NumberInputHandlers } from "@mantine/core";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useRef } from "react";
import { formatNaira } from "#shared/money.ts";
import { countLots } from "#shared/projects/texts.ts";
import classes from "./lots-field.module.css";
import type { PaymentPage } from "./use-payment-page.ts";

type LotsFieldProps = { page: PaymentPage; lots: number; onChange: (lots: number) => void };

/** How many lots to buy, with what they cost together: 1 to what is free. */
export function LotsField({ page, lots, onChange }: LotsFieldProps) {
  const { round, mostLots } = page;
  const handlers = useRef<NumberInputHandlers>(null);
  const held = page.hold?.heldByOthers ?? 0;
  const free = round.lots - round.approvedLots - held;
  return (
    <section className={classes.card} aria-label="Lots">
      <p className={classes.offer}>
        <strong className="money">{formatNaira(round.lotPriceKobo)}</strong> a lot, {free} of {countLots(round.lots)}{" "}
        free
        {held > 0 && `, ${held} held for others`}
      </p>
      <div className={classes.choice}>
        <ActionIcon
          variant="default"
          size={48}
          aria-label="One lot less"
          disabled={lots <= 1}
          onClick={() => handlers.current?.decrement()}
        >
          <IconMinus size={20} aria-hidden="true" />
        </ActionIcon>
        <NumberInput
          label="Number of lots"
          description={`At most ${mostLots} for you`}
          classNames={{ root: classes.field, input: classes.number }}
          handlersRef={handlers}
          value={lots}
          min={1}
          max={mostLots}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          size="lg"
          autoComplete="off"
          onChange={(value) => {
            if (typeof value === "number" && value >= 1) onChange(value);
          }}
        />
        <ActionIcon
          variant="default"
          size={48}
          aria-label="One lot more"
          disabled={lots >= mostLots}
          onClick={() => handlers.current?.increment()}
        >
          <IconPlus size={20} aria-hidden="true" />
        </ActionIcon>
        <p className={classes.total} aria-live="polite">
          <span>{countLots(lots)}</span>
          <strong className="money">{formatNaira(round.lotPriceKobo * BigInt(lots))}</strong>
        </p>
      </div>
    </section>
  );
}
